//! Processes: threads, forks, signals, late loading, and layouts that leave no room.

mod common;

use common::{Program, compile, runtime, stderr, stdout};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Runs the program under a shell command such as a limit.
fn under(program: &Program, shell: &str, options: &str) -> std::process::Output {
    let mut command = Command::new("bash");
    command.arg("-c").arg(format!("{shell}; exec {}", program.path.display())).env("NONIUS_OPTIONS", options);
    command.current_dir(program.folder.path()).output().unwrap()
}

#[test]
fn threads_have_blocks_of_their_own_and_are_numbered() {
    let source = r#"
    static void *work(void *arg) {
        EXPECT(__nonius_tls == 0);
        char *block = __nonius_thread();
        EXPECT(block && block == __nonius_tls && block == __nonius_thread());
        for (int i = 0; i < 1000; i++) check(0, 1, 1 + (arg ? 1 : 0));
        return block;
    }
    int main(void) {
        for (int round = 0; round < 3000; round++) {
            pthread_t t; void *block;
            EXPECT(pthread_create(&t, 0, work, round == 7 ? "" : 0) == 0);
            pthread_join(t, &block);
        }
        // Blocks are given back: as many as threads would be 48 MB.
        FILE *f = fopen("/proc/self/statm", "r"); long total, resident;
        EXPECT(fscanf(f, "%ld %ld", &total, &resident) == 2);
        EXPECT(resident * 4096 < 30 << 20);
        return 0;
    }"#;
    let program = Program::new(source);
    let output = program.run("report=out.json:quiet=1");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let finding = &program.json("out.json").findings[0];
    assert_eq!((finding.count, finding.thread), (3_000_000, 8));
}

#[test]
fn destructors_of_other_keys_may_still_be_instrumented() {
    let source = r#"
    static pthread_key_t key;
    static void late(void *round) {
        EXPECT(__nonius_thread() != 0);
        long n = (long)round;
        if (n < 3) pthread_setspecific(key, (void *)(n + 1));
        check(0, 1, 1);
    }
    static void *work(void *arg) { __nonius_thread(); pthread_setspecific(key, (void *)1); return 0; }
    int main(void) {
        pthread_key_create(&key, late);
        pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0);
        return 0;
    }"#;
    let output = Program::new(source).run("");
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("seen 3 times"), "{}", stderr(&output));
}

#[test]
fn a_forked_child_reports_its_own_findings_to_its_own_file() {
    let source = r#"
    int main(void) {
        check(0, 1, 1);
        pid_t child = fork();
        if (child == 0) { check(1, 1, 1); check(1, 1, 1); exit(0); }
        int status; waitpid(child, &status, 0);
        printf("%d\n", child);
        return status;
    }"#;
    let program = Program::new(source);
    let output = program.run("report=out.json");
    let child = stdout(&output).trim().to_owned();
    let lines = |file: &str| -> Vec<(u32, u64)> {
        program.json(file).findings.iter().map(|f| (f.location.line, f.count)).collect()
    };
    assert_eq!(lines("out.json"), [(10, 1)]);
    assert_eq!(lines(&format!("out.json.{child}")), [(11, 2)]);
    assert_eq!(stderr(&output).matches("precision-loss]").count(), 2, "{}", stderr(&output));
    program.run("report='at %p.json'");
    let names = std::fs::read_dir(program.folder.path()).unwrap();
    let named = names.filter(|n| n.as_ref().unwrap().file_name().to_string_lossy().starts_with("at ")).count();
    assert_eq!(named, 2);
}

#[test]
fn a_child_that_finds_nothing_says_nothing() {
    let source = r#"
    int main(void) {
        check(0, 1, 1);
        if (fork() == 0) exit(0);
        if (vfork() == 0) { __nonius_flush(); _exit(0); }
        while (wait(0) > 0) {}
        return 0;
    }"#;
    let program = Program::new(source);
    let text = stderr(&program.run("report=out.json"));
    assert_eq!(text.matches("precision-loss]").count(), 1, "{text}");
    let reports = std::fs::read_dir(program.folder.path()).unwrap();
    let reports = reports.filter(|n| n.as_ref().unwrap().file_name().to_string_lossy().starts_with("out.json"));
    assert_eq!(reports.count(), 1);
}

#[test]
fn a_program_that_aborts_has_reported_once() {
    let program = Program::new("int main(void) { check(0, 1, 1); __nonius_flush(); __nonius_flush(); abort(); }");
    let output = program.run("");
    assert_eq!(output.status.code(), None);
    assert_eq!(stderr(&output).matches("precision-loss]").count(), 1);
    let program = Program::new("int main(void) { check(0, 1, 1); __nonius_flush(); check(1, 1, 1); return 0; }");
    let text = stderr(&program.run("report=out.json"));
    assert_eq!(text.matches("nonius: ").count(), 2, "{text}");
    assert_eq!(program.json("out.json").findings.len(), 2);
}

#[test]
fn signal_handlers_and_allocators_of_the_program_may_be_instrumented() {
    let source = r#"
    static volatile int ticks;
    static void tick(int s) { check(1, 1, 1 + ++ticks); }
    void *__libc_malloc(size_t);
    static __thread int depth;
    void *malloc(size_t n) { if (!depth++) check(2, 1, 1); depth--; return __libc_malloc(n); }
    int main(void) {
        struct sigaction a = {.sa_handler = tick}; sigaction(SIGALRM, &a, 0);
        ualarm(500, 500);
        double e = 1;
        for (long i = 0; ticks < 100; i++) { check(0, 1, e); e = i % 97 ? e : e * 1.001; errno = 77; check(0, 1, e); EXPECT(errno == 77 || errno == EINTR); free(malloc(100)); }
        ualarm(0, 0);
        return 0;
    }"#;
    let program = Program::new(source);
    let output = program.run("report=out.json:quiet=1");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(program.json("out.json").findings.len(), 3);
}

#[test]
fn an_uninstrumented_host_can_load_and_unload_instrumented_libraries() {
    let plugin = Program::new("int main(void) { return 0; }");
    let library = plugin.folder.path().join("plugin.so");
    let source = "int work(void) { __nonius_thread(); check(0, 1, 1); return 7; }";
    compile(plugin.folder.path(), source, &common::table().encode(), &library, &["-shared", "-fPIC"]);
    let host = plugin.folder.path().join("host.c");
    let code = r#"
    #include <dlfcn.h>
    #include <stdio.h>
    int main(int argc, char **argv) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            void *p = dlopen(argv[1], RTLD_NOW);
            if (!p) { puts(dlerror()); return 1; }
            sum += ((int (*)(void))dlsym(p, "work"))();
            dlclose(p);
        }
        printf("%d\n", sum);
        return 0;
    }"#;
    std::fs::write(&host, code).unwrap();
    let exe = plugin.folder.path().join("host");
    assert!(Command::new("cc").arg(&host).arg("-o").arg(&exe).arg("-ldl").status().unwrap().success());
    let output = Command::new(&exe).arg(&library).output().unwrap();
    assert_eq!(stdout(&output), "21\n", "{:?} {}", output.status, stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("precision-loss") && text.contains("seen 3 times"), "{text}");
}

#[test]
fn an_unlimited_stack_is_worked_around_and_put_back() {
    let source = r#"
    #include <sys/resource.h>
    int main(int argc, char **argv) {
        struct rlimit r; getrlimit(RLIMIT_STACK, &r);
        EXPECT(r.rlim_cur == RLIM_INFINITY);
        pthread_attr_t a; size_t bytes; pthread_getattr_default_np(&a); pthread_attr_getstacksize(&a, &bytes);
        EXPECT(bytes == 2 << 20);
        EXPECT(!getenv("NONIUS_STARTED_OVER"));
        printf("%d %s\n", argc, argv[1]);
        check(0, 1, 1);
        return 0;
    }"#;
    let program = Program::new(source);
    let shell = "ulimit -s unlimited 2>/dev/null || exit 77";
    let output = {
        let mut command = Command::new("bash");
        command.arg("-c").arg(format!("{shell}; exec {} 'a b'", program.path.display()));
        command.env("NONIUS_OPTIONS", "").output().unwrap()
    };
    if output.status.code() == Some(77) {
        return; // The hard limit is finite here, so the case cannot arise.
    }
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("2 a b\n", Some(0)), "{}", stderr(&output));
    assert!(stderr(&output).contains("precision-loss"));
}

#[test]
fn other_ways_to_start_are_fine() {
    let program = Program::new("int main(int argc, char **argv) { check(0, 1, 1); puts(argv[1]); return 0; }");
    let loader = "/lib64/ld-linux-x86-64.so.2";
    for start in [
        "setarch -R",
        "setarch -L",
        "setarch -3",
        loader,
        &format!("bash -c 'ulimit -s unlimited; exec {loader} $0 $1'"),
    ] {
        let words = format!("{start} {} hello", program.path.display());
        let output = Command::new("bash").arg("-c").arg(&words).env("NONIUS_OPTIONS", "").output().unwrap();
        assert_eq!(stdout(&output), "hello\n", "{start}: {} {}", output.status, stderr(&output));
        assert!(stderr(&output).contains("precision-loss"), "{start}: {}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_worked_around_is_explained() {
    let program = Program::new("int main(void) { puts(\"ran\"); return 0; }");
    let output = under(&program, "ulimit -v 10000000", "");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("ulimit -v unlimited"), "{}", stderr(&output));
    let fixed = Program::with("int main(void) { return 0; }", &common::table().encode(), &["-no-pie", "-fno-pie"]);
    let output = fixed.run("");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("-pie"), "{}", stderr(&output));
}

#[test]
fn wrong_options_stop_the_program_before_it_runs() {
    let program = Program::new("int main(void) { puts(\"ran\"); return 0; }");
    let output = program.run("exitcod=1");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("did you mean 'exitcode'"), "{}", stderr(&output));
    let output = program.run("help=1");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "ran\n"));
    assert!(stderr(&output).contains("threshold"));
}

#[test]
fn the_program_can_bring_its_own_defaults() {
    let source = r#"
    const char *__nonius_default_options(void) { return "exitcode=5:quiet=1"; }
    const char *__nonius_default_suppressions(void) { return "*:file=a.c # ours\n"; }
    int main(int argc, char **argv) { check(0, 1, 1); return 0; }"#;
    let program = Program::new(source);
    assert_eq!(program.run("").status.code(), Some(0));
    let source = source.replace("__nonius_default_suppressions", "unused");
    let program = Program::new(&source);
    let output = program.run("");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(5), ""));
    assert_eq!(program.run("exitcode=6").status.code(), Some(6));
}

#[test]
fn a_foreign_table_is_left_out_with_a_word() {
    let mut newer = common::table().encode();
    newer[8] = 99;
    for (bytes, word) in
        [(newer.as_slice(), "ABI 99"), (&b"NONIUS"[..], "cut off"), (&[0u8; 100], "no Nonius site table")]
    {
        let program = Program::with("int main(void) { check(0, 1, 1); puts(\"ran\"); return 0; }", bytes, &[]);
        let output = program.run("");
        assert_eq!((stdout(&output).as_str(), output.status.code()), ("ran\n", Some(0)));
        let text = stderr(&output);
        assert!(text.contains(word) && text.contains("program is not checked") && text.contains("rebuild"), "{text}");
    }
}

#[test]
fn a_debugger_is_stopped_at_a_finding() {
    let program = Program::new("int main(void) { check(0, 1, 1); return 0; }");
    let output = program.run("debug=1");
    assert!(stderr(&output).contains("NONIUS_OPTIONS=debug=1 gdb"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-batch", "-ex", "set startup-with-shell off", "-ex", "run", "-ex", "bt", "-ex", "continue"]);
    gdb.arg(&program.path).env("NONIUS_OPTIONS", "debug=1").env_remove("DEBUGINFOD_URLS");
    let output = gdb.output().expect("gdb starts: './x test' installs it");
    let text = stdout(&output) + &stderr(&output);
    assert!(text.contains("SIGTRAP") && text.contains("exited normally"), "{text}");
    let innermost = text.lines().find(|line| line.starts_with("#0 ")).unwrap_or_default();
    // What calls the hook there, by hand.
    assert!(innermost.contains(" check ()") || innermost.contains(" main ()"), "{text}");
    assert!(text.contains("stopped at warning[precision-loss]") && text.contains("a.c:10:5; finding "), "{text}");
}

#[test]
fn arguments_zero_and_environment_reach_the_program_as_given() {
    let source = r#"int main(int argc, char **argv) { printf("%s %s\n", argv[0], getenv("X")); return 0; }"#;
    let program = Program::new(source);
    let mut command = program.command("");
    command.arg0("another").env("X", "y");
    assert_eq!(stdout(&command.output().unwrap()), "another y\n");
    assert!(runtime().exists());
}
