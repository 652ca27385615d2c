# The two WebAssembly modules, from the same sources: README.md in this folder says what each flag
# is for. What they export is what c_src/exports.c marks with EXPORT (the list is c_src/exports.h).

WASM := wasm_build/attention.wasm wasm_build/attention-scalar.wasm

WASM_COMPILE := -std=c11 -ffp-contract=off -Ic_src -MMD -MP
WASM_LINK := --no-entry -sSTANDALONE_WASM -sMALLOC=emmalloc \
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=1MB -sMAXIMUM_MEMORY=256MB -sTOTAL_STACK=256KB

# clang 14 moves the loads of such vectors past stores to the same place. A -O after it would undo it.
NO_SLP := -fno-slp-vectorize

# Where the time of a training step goes is compiled for speed, all the rest for size. Without SIMD
# only the matrix product gains by it, and four scalars for every vector take four times the room.
FAST-simd := $(patsubst %,c_src/ops/%.c,gemm linear softmax layernorm lstm_cell) c_src/train/adam.c
FAST-scalar := c_src/ops/gemm.c
optimise = $(if $(filter $(FAST-$(1)),$(2)),-O3,-Os)

# $(1): the kind of build, $(2): its flags. One object a source, below build/.
define wasm_objects
build/wasm-$(1)/%.o: %.c wasm_build/build.mk | need-wasm
	@mkdir -p $$(@D)
	emcc -c $$< $$(WASM_COMPILE) $$(call optimise,$(1),$$<) $$(NO_SLP) $(2) -o $$@
endef
$(eval $(call wasm_objects,simd,-msimd128))
$(eval $(call wasm_objects,scalar,))

# Linked aside and moved into place whole: whoever reads a module meanwhile sees the old one.
define link
	@mkdir -p build/link
	emcc $(filter %.o,$^) $(1) $(WASM_LINK) -o build/link/$(@F)
	@mv build/link/$(@F) $@
endef

wasm_build/attention.wasm: $(C_SOURCES:%.c=build/wasm-simd/%.o) wasm_build/build.mk
	$(call link,-O3)

wasm_build/attention-scalar.wasm: $(C_SOURCES:%.c=build/wasm-scalar/%.o) wasm_build/build.mk
	$(call link,-Os)

# The layers one by one, for tests/wasm/layers.test.js.
LAYERS_SOURCES := tests/wasm/layers_exports.c \
    $(filter-out c_src/exports.c c_src/lesson/%,$(C_SOURCES))

build/layers.wasm: $(LAYERS_SOURCES:%.c=build/wasm-simd/%.o)
	$(call link,-O3)

.PHONY: layers
layers: build/layers.wasm
