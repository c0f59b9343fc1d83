//! The workflows of docs/ci.md, on small projects in `tests/ci`: their commands are taken from the document and run as the
//! service runs them, with a bug in the project and without.

use nonius_tests::program::nonius;
use nonius_tests::tools::tests_root;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The fenced block of a language that comes first under a heading of the document.
fn block(heading: &str, language: &str) -> String {
    let document = fs::read_to_string(tests_root().unwrap().join("../docs/ci.md")).unwrap();
    let section = document.split("\n## ").find(|section| section.starts_with(heading));
    let section = section.unwrap_or_else(|| panic!("docs/ci.md has no section {heading}"));
    // What is between the blocks may begin like one, as the heading does.
    let block = section.split("```").skip(1).step_by(2).find_map(|block| block.strip_prefix(&format!("{language}\n")));
    block.unwrap_or_else(|| panic!("no {language} under {heading}")).to_owned()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines below `lines[at]` that are indented further.
fn below<'a>(lines: &[&'a str], at: usize) -> Vec<&'a str> {
    let deeper = lines[at + 1..].iter().take_while(|line| line.is_empty() || indent(line) > indent(lines[at]));
    deeper.copied().collect()
}

/// The steps of GitHub's workflow that run commands: name, whether it runs after a failure, script.
fn github_steps(yaml: &str) -> Vec<(String, bool, String)> {
    let lines: Vec<&str> = yaml.lines().collect();
    let mut steps = Vec::new();
    for (at, name) in lines.iter().enumerate().filter_map(|(at, l)| Some((at, l.trim().strip_prefix("- name: ")?))) {
        let step = below(&lines, at);
        let always = step.iter().any(|line| line.trim() == "if: always()");
        let run = step.iter().position(|line| line.trim().starts_with("run:")).expect("a step that runs something");
        let script = match step[run].trim().strip_prefix("run:").unwrap().trim() {
            "|" => below(&step, run).iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n"),
            command => command.to_owned(),
        };
        steps.push((name.to_owned(), always, script));
    }
    steps
}

/// The commands of a list of GitLab's job.
fn gitlab_commands(yaml: &str, key: &str) -> Vec<String> {
    let lines: Vec<&str> = yaml.lines().collect();
    let at = lines.iter().position(|line| line.trim() == format!("{key}:")).unwrap_or_else(|| panic!("no {key}"));
    below(&lines, at).iter().filter_map(|line| line.trim().strip_prefix("- ")).map(str::to_owned).collect()
}

/// A copy of a project, with `nonius` and its other names on the path.
struct Project {
    folder: TempDir,
    path: String,
}

impl Project {
    fn new(name: &str) -> Project {
        let folder = tempfile::tempdir().unwrap();
        copy(&tests_root().unwrap().join("ci").join(name), &folder.path().join("repo"));
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        // Links to the links lead to the libraries beside what was built.
        for name in ["nonius", "nonius-cc", "nonius-c++", "cargo-nonius"] {
            symlink(nonius(), bin.join(name)).unwrap();
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        Project { folder, path }
    }

    /// The same without the bug.
    fn fixed(name: &str) -> Project {
        let project = Project::new(name);
        for file in ["roots.c", "src/lib.rs"].map(|file| project.at(file)) {
            if let Ok(source) = fs::read_to_string(&file) {
                let source = source.replace("#ifdef FIXED", "#if 1").replace("cfg!(feature = \"fixed\")", "true");
                fs::write(file, source).unwrap();
            }
        }
        project
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join("repo").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs a script as GitHub runs a step.
    fn run(&self, script: &str) -> Output {
        let mut shell = Command::new("bash");
        shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(self.at(""));
        let repo = self.at("").to_str().unwrap().trim_end_matches('/').to_owned();
        shell.env("PATH", &self.path).env("GITHUB_WORKSPACE", &repo).env("CI_PROJECT_DIR", repo);
        shell.env("GITHUB_STEP_SUMMARY", self.at("summary.md")).stdin(Stdio::null());
        for variable in ["NONIUS_OPTIONS", "RUSTC_WRAPPER", "CARGO_TARGET_DIR", "MAKEFLAGS", "LD_LIBRARY_PATH"] {
            shell.env_remove(variable);
        }
        shell.output().expect("bash starts")
    }

    /// Runs a script that must succeed.
    fn must(&self, script: &str) -> String {
        let output = self.run(script);
        assert!(output.status.success(), "{script}: {}", said(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.read("nonius.json")).unwrap()
    }

    /// The file of each finding in the report.
    fn places(&self) -> Vec<String> {
        let report = self.report();
        let place =
            |f: &Value| f["location"]["file"].as_str().unwrap_or_default().rsplit('/').next().map(str::to_owned);
        report["findings"].as_array().unwrap().iter().filter_map(place).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// All steps in their order, as GitHub does: after a failure only those that run always.
fn run_github(project: &Project) -> (bool, String) {
    let steps = github_steps(&block("GitHub Actions", "yaml"));
    let names: Vec<&str> = steps.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["Install Nonius", "Build", "Test", "Report"]);
    let (mut green, mut log) = (true, String::new());
    for (_, always, script) in steps.iter().filter(|(name, ..)| name != "Install Nonius") {
        if green || *always {
            let output = project.run(script);
            green &= output.status.success();
            log += &said(&output);
        }
    }
    (green, log)
}

#[test]
fn github_turns_red_and_shows_the_finding() {
    let project = Project::new("c");
    let (green, log) = run_github(&project);
    assert!(!green, "{log}");
    assert!(!project.places().is_empty() && project.places().iter().all(|file| file == "roots.c"), "{log}");
    let annotation = log.lines().find(|line| line.starts_with("::error ")).expect("an annotation");
    assert!(annotation.contains("file=roots.c,line=11,"), "{annotation}");
    let summary = project.read("summary.md");
    assert!(summary.starts_with("### Nonius: ") && summary.contains("roots.c:11"), "{summary}");
    let sarif: Value = serde_json::from_str(&project.read("nonius.sarif")).unwrap();
    let place = sarif.pointer("/runs/0/results/0/locations/0/physicalLocation").unwrap();
    assert_eq!(place["artifactLocation"]["uri"], "roots.c");
    assert_eq!(place["region"]["startLine"], 11);
    assert!(sarif.pointer("/runs/0/results/0/partialFingerprints/primaryLocationLineHash").is_some(), "{sarif}");
}

#[test]
fn github_is_green_once_it_is_fixed() {
    let project = Project::fixed("c");
    let (green, log) = run_github(&project);
    assert!(green, "{log}");
    assert!(!log.contains("::error"), "{log}");
    assert!(project.read("summary.md").starts_with("### Nonius: no findings"), "{}", project.read("summary.md"));
}

#[test]
fn gitlab_has_tests_and_code_quality() {
    let yaml = block("GitLab", "yaml");
    assert_eq!(gitlab_commands(&yaml, "before_script"), ["./nonius/x install"]);
    for (project, is_fixed) in [(Project::new("c"), false), (Project::fixed("c"), true)] {
        let output = project.run(&gitlab_commands(&yaml, "script").join("\n"));
        assert_eq!(output.status.success(), is_fixed, "{}", said(&output));
        for command in gitlab_commands(&yaml, "after_script") {
            project.must(&command);
        }
        let junit = project.read("nonius-junit.xml");
        assert_eq!(junit.contains("<failure type=\"precision-loss\""), !is_fixed, "{junit}");
        let issues: Value = serde_json::from_str(&project.read("gl-code-quality-report.json")).unwrap();
        assert_eq!(issues.as_array().unwrap().is_empty(), is_fixed);
        assert!(is_fixed || issues[0]["location"]["path"] == "roots.c", "{issues}");
    }
}

#[test]
fn make_fails_with_findings() {
    let target = block("make", "make");
    for (project, is_fixed) in [(Project::new("c"), false), (Project::fixed("c"), true)] {
        let makefile = project.read("Makefile") + "\n" + &target;
        fs::write(project.at("Makefile"), makefile).unwrap();
        let output = project.run("make numerics");
        assert_eq!(output.status.success(), is_fixed, "{}", said(&output));
        assert!(project.at("nonius.json").is_file(), "{}", said(&output));
        assert_eq!(project.places().is_empty(), is_fixed, "{}", said(&output));
    }
}

#[test]
fn ctest_says_which_test_has_findings() {
    let (script, cmake) = (block("ctest", "sh"), block("ctest", "cmake"));
    let project = Project::new("c");
    let output = project.run(&script);
    assert!(output.status.code() == Some(1) && !project.places().is_empty(), "{}", said(&output));
    let lists = project.read("CMakeLists.txt") + &cmake;
    fs::write(project.at("CMakeLists.txt"), lists).unwrap();
    project.must("cmake -S . -B build && cmake --build build");
    let output = project.run("ctest --test-dir build");
    let text = said(&output);
    assert!(!output.status.success() && text.contains("3 - numerics (Failed)"), "{text}");
    assert!(text.contains("1 tests failed out of 3"), "{text}");
}

#[test]
fn cargo_reports_with_the_test_that_saw_it() {
    let script = block("cargo", "sh");
    for (project, is_fixed) in [(Project::new("rust"), false), (Project::fixed("rust"), true)] {
        let output = project.run(&script);
        assert_eq!(output.status.code(), Some(i32::from(!is_fixed)), "{}", said(&output));
        assert_eq!(project.places(), if is_fixed { vec![] } else { vec!["lib.rs".to_owned()] }, "{}", said(&output));
    }
}

/// Every form of the table at the top of the document is one of the command.
#[test]
fn every_form_that_is_promised_is_there() {
    let document = fs::read_to_string(tests_root().unwrap().join("../docs/ci.md")).unwrap();
    let project = Project::new("c");
    project.run("make CC=nonius-cc && nonius run --confirm=0 --report=nonius.json ./roots");
    let commands: Vec<&str> =
        document.lines().filter_map(|line| line.strip_prefix("| `nonius report")?.split('`').next()).collect();
    assert_eq!(commands.len(), 5);
    for command in commands {
        assert!(!project.must(&format!("nonius report{command}")).is_empty(), "{command}");
    }
    let together = document.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let output = project.run(together);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\n::error file=roots.c,line=11,"), "{}", said(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1, "the program's own: {}", said(&output));
    for file in ["nonius.sarif", "nonius-junit.xml", "gl-code-quality-report.json", "summary.md"] {
        assert!(project.read(file).contains("roots.c"), "{file}");
    }
}
