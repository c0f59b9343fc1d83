/* A runtime that watches nothing. When the program ends, it copies the file that STANDIN_REPORT
 * names to where NONIUS_OPTIONS wants the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((destructor)) static void end(void) {
    const char *source = getenv("STANDIN_REPORT"), *options = getenv("NONIUS_OPTIONS");
    const char *report = NULL; /* the last one counts */
    for (const char *at = options; at && (at = strstr(at, "report="));) report = at += strlen("report=");
    if (!source || !report) return;
    char path[4096];
    const char *mark = strstr(report, "%p");
    if (mark) snprintf(path, sizeof path, "%.*s%d.json", (int)(mark - report), report, (int)getpid());
    else snprintf(path, sizeof path, "%.*s", (int)strcspn(report, ":"), report);
    FILE *in = fopen(source, "r"), *out = fopen(path, "w");
    for (int c; in && out && (c = getc(in)) != EOF;) putc(c, out);
    if (in) fclose(in);
    if (out) fclose(out);
}
