// Functions on files, which the runtime listens to: results, errno, permissions and descriptors stay as they are.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void say(const char *what, long result)
{
    printf("%s %ld %s\n", what, result, result < 0 ? strerror(errno) : "-");
    errno = 0;
}

static long mode(const char *path)
{
    struct stat status;
    return stat(path, &status) ? -1 : (long)(status.st_mode & 0777);
}

static void descriptors(void)
{
    int made = open("made", O_WRONLY | O_CREAT | O_EXCL, 0640);
    say("open", made);
    say("mode", mode("made"));
    say("write", write(made, "12345678", 8));
    say("seek", lseek(made, -2, SEEK_END));
    say("write", write(made, "x", 1));
    say("close", close(made));
    say("exclusive", open("made", O_WRONLY | O_CREAT | O_EXCL, 0600));
    say("missing", open("missing", O_RDONLY));
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    int there = openat(folder, "made", O_RDWR | O_APPEND);
    say("openat", there);
    say("creat", creat("created", 0600));
    say("mkdirat", mkdirat(folder, "sub", 0750));
    say("renameat", renameat(folder, "created", folder, "sub/created"));
    say("unlinkat", unlinkat(folder, "sub", AT_REMOVEDIR));
    say("truncate", truncate("made", 3));
    say("unlink", unlink("sub/created"));
    say("rmdir", rmdir("sub"));
    say("link", link("made", "linked"));
    say("symlink", symlink("made", "soft"));
    say("again", symlink("made", "soft"));
    close(there);
    close(folder);
}

static void streams(double value)
{
    FILE *file = fopen("text", "w+");
    fprintf(file, "%.17g\n", value);
    rewind(file);
    double back = 0;
    say("scanned", fscanf(file, "%lf", &back));
    printf("%d\n", back == value);
    file = freopen("text", "a", file);
    say("position", ftell(file));
    fclose(file);
    say("none", fopen("no/such", "r") ? 0 : -1);
    char name[] = "tempXXXXXX";
    int temporary = mkstemp(name);
    say("mkstemp", temporary);
    say("mode", mode(name));
    say("remove", remove(name));
    close(temporary);
}

static void programs(void)
{
    fflush(stdout);
    say("system", WEXITSTATUS(system("exit 5")));
    char line[16] = "";
    FILE *pipe = popen("echo piped", "r");
    say("popen", fgets(line, sizeof line, pipe) ? (long)strlen(line) : -1);
    say("pclose", pclose(pipe));
    pid_t child;
    char *words[] = {"sh", "-c", "exit 7", NULL};
    int status;
    say("spawn", posix_spawnp(&child, "sh", NULL, NULL, words, environ));
    waitpid(child, &status, 0);
    say("status", WEXITSTATUS(status));
    fflush(stdout);
    if ((child = vfork()) == 0) {
        execvp("sh", words);
        _exit(1);
    }
    waitpid(child, &status, 0);
    say("status", WEXITSTATUS(status));
    say("execv", execv("./no such program", words));
}

int main(void)
{
    char folder[] = "/tmp/filesXXXXXX";
    volatile double tenth = 0.1;
    umask(022);
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    descriptors();
    streams(sqrt(tenth) * 3);
    programs();
    if (chdir("/"))
        return 1;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0;
}
