#include "nn/positional.h"

#include "core/real.h"

float positional_frequency(int i, int d_model, double base) {
    float exponent = (float)-real_log(base) * (float)(2 * i) / (float)d_model;
    return (float)real_exp((double)exponent);
}

/*
 * Exponent, frequency and angle are rounded to float where PyTorch rounds them; exp, sin and cos
 * are evaluated in double before rounding, because float versions differ in the last bit.
 */
void positional_encoding(float *positions, int seq_len, int d_model, double base) {
    for (int i = 0; i < d_model / 2; i++) {
        float frequency = positional_frequency(i, d_model, base);
        for (int p = 0; p < seq_len; p++) {
            float angle = (float)p * frequency;
            double sine, cosine;
            real_sin_cos((double)angle, &sine, &cosine);
            positions[p * d_model + 2 * i] = (float)sine;
            positions[p * d_model + 2 * i + 1] = (float)cosine;
        }
    }
}
