/* What a test can do to the board, one command a line. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

struct script {
    const char *link_path; /* where the link to the pty is, or NULL */
    double speed;          /* times real time; 0: as fast as possible */
    bool running;          /* time passes by itself */
    double run_until_us;   /* otherwise up to here */
    bool run_asked;        /* and this is answered when it is reached */
    bool quit;
};

/* Where answers go. */
extern FILE *answers;

/* Does what the line says and prints one line: "ok ..." or "error ...". */
void script_line(struct script *script, char *line);

#endif
