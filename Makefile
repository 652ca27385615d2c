# Attention Companion. `make` prints the targets; each of them brings the tools it needs.
#
#   wasm_build/build.mk   c_src -> WebAssembly
#   tests/c/build.mk      c_src and the C programs of tests/ -> build/

SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

# The port of `make start`, and the seed of `make reproduce`.
PORT ?= 4173
SEED ?= 0

# A node that had to be fetched comes before the system's.
export PATH := $(CURDIR)/.toolchain/bin:$(PATH)

BIN := node_modules/.bin
PACKAGES := node_modules/.package-lock.json
PAGE := dist/index.html
C_SOURCES := $(shell find c_src -name '*.c' | LC_ALL=C sort)
C_HEADERS := $(shell find c_src -name '*.h' | LC_ALL=C sort)
C_PROGRAMS := $(wildcard tests/*/*.c)
C_FILES := $(C_SOURCES) $(C_HEADERS) $(C_PROGRAMS) $(wildcard tests/*/*.h)
# What PyTorch recorded for the lesson's first script is shown beside what the page computes.
PAGE_SOURCES := $(shell find web -type f) tests/golden/attention_check.json

include wasm_build/build.mk
include tests/c/build.mk

## help: these lines
.PHONY: help
help:
	@sed -n 's/^## \([^:]*\): \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 26

## start [PORT=4173]: build the lesson and serve it on this machine
.PHONY: start
start: need-start
	@$(MAKE) --jobs=$$(nproc) dist
	@$(BIN)/vite preview --config web/vite.config.mjs --port $(PORT)

## test: everything that can be proved, and one closing line that counts it
.PHONY: test
test:
	@tests/tools/bootstrap.sh test || { echo '0 passed, 1 failed'; exit 1; }
	@node tests/tools/run-all.mjs

## wasm: wasm_build/attention.wasm and attention-scalar.wasm
.PHONY: wasm
wasm: $(WASM)

## dist: the page, in dist/
.PHONY: dist
dist: $(PAGE)

# What PyTorch returned is carried to the page, for its figures to compare with.
RECORDED := tests/golden/attention_check.json

$(PAGE): $(WASM) $(PACKAGES) $(PAGE_SOURCES) $(C_SOURCES) $(C_HEADERS) $(RECORDED)
	$(BIN)/vite build --config web/vite.config.mjs
	@touch $@

## check: layout, lint, types, pages, layer rules and static analysis
CHECKS := check-format check-c-format check-types check-layers check-html check-tidy
.PHONY: check $(CHECKS)
check: $(CHECKS)

check-format: $(PACKAGES)
	$(BIN)/biome ci --error-on-warnings --colors=off

check-c-format: | need-check
	clang-format --dry-run --Werror $(C_FILES)

check-types: $(PACKAGES)
	$(BIN)/tsc -p tsconfig.json
	$(BIN)/tsc -p web/engine/tsconfig.json
	$(BIN)/tsc -p tests/tsconfig.json

check-layers: | need-node
	node tests/tools/layers.mjs

check-html: $(PAGE)
	$(BIN)/html-validate --config .html-validate.json 'dist/*.html'

check-tidy: $(patsubst %.c,build/tidy/%,$(C_SOURCES) $(C_PROGRAMS))

# An empty file says that this source passed.
build/tidy/%: %.c $(filter %.h,$(C_FILES)) .clang-tidy tests/c/.clang-tidy | need-check
	@mkdir -p $(@D)
	clang-tidy --quiet $< -- $(C_FLAGS)
	@touch $@

## format: lay out every source file
.PHONY: format
format: $(PACKAGES) | need-check
	$(BIN)/biome check --write
	clang-format -i $(C_FILES)

## bench: milliseconds a training step, native, in WebAssembly and in PyTorch where installed
.PHONY: bench
bench: $(WASM) build/gcc/tests/bench/native_step | need-node
	@node tests/bench/training-step.mjs

## reproduce [SEED=0]: what the lesson's two scripts print, computed by the WebAssembly build
.PHONY: reproduce
reproduce: $(WASM) | need-node
	@node web/reproduce.mjs --seed='$(SEED)' --recorded tests/golden --out build/reverse_seq.json

## experiments: the lesson's model with one thing changed at a time (takes minutes)
.PHONY: experiments
experiments: $(WASM) | need-node
	@node tests/experiments/ablations.mjs

## screenshot: the picture of README.md, from the built page
.PHONY: screenshot
screenshot: $(PAGE)
	node tests/tools/screenshot.mjs tests/browser/lesson.png

## clean: remove what was built
.PHONY: clean
clean:
	rm -rf build dist $(WASM)

$(PACKAGES): package.json package-lock.json | need-node
	npm ci --no-audit --no-fund
	@touch $@

.PHONY: packages
packages: $(PACKAGES)

# As order-only prerequisites these run before a target is built and never cause it to be.
NEEDS := need-wasm need-node need-start need-native need-check
.PHONY: $(NEEDS)
$(NEEDS): need-%:
	@tests/tools/bootstrap.sh $*
