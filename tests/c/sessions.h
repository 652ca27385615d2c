/* Sessions for tests: made or the test fails, configured by field names or by a golden file. */
#ifndef ATTN_TESTS_SESSIONS_H
#define ATTN_TESTS_SESSIONS_H

#include "golden.h"
#include "support.h"
#include "train/config.h"
#include "train/session.h"

Session *make_session(const Config *config);

/* The field of this name; fails where there is none. */
const ConfigField *config_field(const char *name);

/* Sets a field to a number, rounded to the field's type. */
void config_set(Config *config, const ConfigField *field, double value);

/* The lesson's configuration with the fields that the node holds. */
Config golden_config(const Golden *node);

/* Measures all n_sequences; returns the mean loss unrounded. */
double evaluate(Session *session, uint32_t seed, int n_sequences, SessionMetrics *metrics);

/* The floats of a tensor that the session shows; fails where it shows none of this name. */
const float *shown_tensor(const Session *session, const char *name);

#endif
