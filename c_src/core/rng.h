/*
 * PyTorch's CPU random numbers, bit for bit (torch.Generator, torch.manual_seed).
 *
 * A generator is an argument, never a global. Values are drawn in row-major order of the
 * tensor they fill. pytorch-rng.md gives the rules with their check values; Matsumoto and
 * Nishimura 1998 is the source of mt19937.
 */
#ifndef ATTN_CORE_RNG_H
#define ATTN_CORE_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RNG_STATE_SIZE 624

typedef struct {
    uint32_t state[RNG_STATE_SIZE];
    int index; /* next word of the state; RNG_STATE_SIZE when it must be renewed */
    bool kept; /* PyTorch keeps the second normal of a pair for the next small randn */
    double kept_normal;
} Rng;

/* As torch.manual_seed(seed); drops a kept normal. */
void rng_seed(Rng *rng, uint32_t seed);

/* 32 random bits. */
uint32_t rng_u32(Rng *rng);

/* Draws n 32-bit values and throws them away. */
void rng_skip(Rng *rng, uint64_t n);

/* torch.rand: n values in [0, 1), multiples of 2^-24. */
void rng_rand(Rng *rng, float *values, size_t n);

/* Tensor.uniform_(low, high). */
void rng_uniform(Rng *rng, double low, double high, float *values, size_t n);

/* torch.randint(low, high): low <= value < high, high - low below 2^31. */
void rng_randint(Rng *rng, int32_t low, int32_t high, int32_t *values, size_t n);

/*
 * torch.randn: n standard normal values. Fewer than 16 are drawn one by one in double and may
 * leave a kept normal; 16 or more are drawn in blocks of 16 and use n draws, or n + 16 when n
 * is no multiple of 16. Filling a multiple of 16 in several calls of multiples of 16 gives the
 * values of one call.
 */
void rng_randn(Rng *rng, float *values, size_t n);

#endif
