// Run with `node --experimental-vm-modules`: sources and tests are ES modules as they stand.
export default {
  rootDir: '..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/tests/{wasm,web,browser}/**/*.test.js'],
  modulePathIgnorePatterns: ['<rootDir>/(build|dist|.toolchain)/'],
  transform: {},
  testTimeout: 240_000,
  watchman: false,
};
