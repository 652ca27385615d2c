# Native builds of c_src and of the C programs of tests/:
#
#   build/gcc/, build/clang/                       optimised: the bench, the bits of the parameters
#   build/gcc-sanitized/, build/clang-sanitized/   the cmocka programs tests/c/test_*.c
#
# A program is its own source and c_src; a test is linked with the sources of tests/c that are no
# program too.

C_FLAGS := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wstrict-prototypes \
    -Wmissing-prototypes -Wdouble-promotion -ffp-contract=off -Ic_src -Itests/c
WERROR ?= -Werror
SANITIZE := -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

C_TESTS := $(wildcard tests/c/test_*.c)
C_SUPPORT := $(filter-out $(C_TESTS) tests/c/parameters_hash.c,$(wildcard tests/c/*.c))

# A test may ask for more memory than there is: the answer is NULL, as everywhere else.
export ASAN_OPTIONS := allocator_may_return_null=1

# $(1): folder, $(2): compiler, $(3): flags. Optimisation levels differ on purpose: the bits must not.
define native_build
build/$(1)/%.o: %.c tests/c/build.mk | need-native
	@mkdir -p $$(@D)
	$(2) $$(C_FLAGS) $$(WERROR) $(3) -MMD -MP -c -o $$@ $$<

build/$(1)/tests/%: build/$(1)/tests/%.o $$(C_SOURCES:%.c=build/$(1)/%.o)
	$(2) $(3) -o $$@ $$^ -lm

build/$(1)/tests/c/test_%: build/$(1)/tests/c/test_%.o \
    $$(patsubst %.c,build/$(1)/%.o,$$(C_SOURCES) $$(C_SUPPORT))
	$(2) $(3) $$(LINK_FLAGS) -o $$@ $$^ -lcmocka -lcjson -lm

# It puts itself between c_src and the heap.
build/$(1)/tests/c/test_memory: LINK_FLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
# It counts the products.
build/$(1)/tests/c/test_cost: LINK_FLAGS := -Wl,--wrap=gemm
endef
$(eval $(call native_build,gcc,gcc,-O3))
$(eval $(call native_build,clang,clang,-O2))
$(eval $(call native_build,gcc-sanitized,gcc,-O2 $(SANITIZE)))
$(eval $(call native_build,clang-sanitized,clang,-O1 $(SANITIZE)))

# Objects are kept for the next build.
.SECONDARY:

-include $(shell find build -name '*.d' 2>/dev/null)

# The programs that `make test` runs.
.PHONY: native
native: $(foreach compiler,gcc clang,\
    $(C_TESTS:%.c=build/$(compiler)-sanitized/%) build/$(compiler)/tests/c/parameters_hash)
