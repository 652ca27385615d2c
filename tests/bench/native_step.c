/*
 * Trains one of the lesson's networks natively and prints the milliseconds of a step:
 *
 *     native_step transformer|bilstm n_warm_up n_steps
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "train/config.h"
#include "train/session.h"

static double milliseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "native_step transformer|bilstm n_warm_up n_steps\n");
        return 2;
    }
    const long n_warm_up = strtol(argv[2], NULL, 10), n_steps = strtol(argv[3], NULL, 10);
    Config config = config_default();
    config.model = strcmp(argv[1], "bilstm") == 0 ? MODEL_BILSTM : MODEL_TRANSFORMER;
    Session *session;
    SessionError error;
    if (session_create(&session, &config, &error) != STATUS_OK) {
        return 1;
    }
    SessionMetrics metrics;
    for (long step = 0; step < n_warm_up; step++) {
        session_step(session, &metrics);
    }
    const double begin = milliseconds();
    for (long step = 0; step < n_steps; step++) {
        session_step(session, &metrics);
    }
    printf("%.6f\n", (milliseconds() - begin) / (double)n_steps);
    session_destroy(session);
    return 0;
}
