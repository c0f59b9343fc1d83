// Runs the SQL of its second argument on the database that the first one names, and prints each row, with all digits of
// its floats. It ends with the library's own code of the first error.
#include "sqlite3.h"
#include <stdio.h>

static int row(void *unused, int columns, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < columns; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "null");
    printf("\n");
    return 0;
}

int main(int count, char **words) {
    sqlite3 *base;
    char *message = 0;
    if (count != 3) return 90;
    if (sqlite3_open(words[1], &base)) return 91;
    int code = sqlite3_exec(base, words[2], row, 0, &message);
    if (message) printf("error: %s\n", message);
    sqlite3_free(message);
    sqlite3_close(base);
    return code;
}
