# The two WebAssembly modules, from the same sources: README.md in this folder says what each flag
# is for. What they export is what c_src/exports.c marks with EXPORT (the list is c_src/exports.h).

WASM := wasm_build/attention.wasm wasm_build/attention-scalar.wasm

WASM_FLAGS := -std=c11 -O3 -ffp-contract=off -Ic_src \
    --no-entry -sSTANDALONE_WASM -sMALLOC=emmalloc \
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=1MB -sMAXIMUM_MEMORY=256MB -sTOTAL_STACK=256KB

wasm_build/attention.wasm: WASM_FLAGS += -msimd128

$(WASM): $(C_SOURCES) $(C_HEADERS) wasm_build/build.mk | need-wasm
	emcc $(C_SOURCES) $(WASM_FLAGS) -o $@
