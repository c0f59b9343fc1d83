//! Compiles a test, by the plain compiler or by Nonius, with exactly the same flags.

use crate::corpus::Case;
use crate::directive::{Part, Role};
use crate::language::Language;
use crate::level::Level;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who compiles the instrumented parts.
#[derive(Clone, Debug)]
pub enum Compiler {
    Plain,
    Nonius(PathBuf),
}

/// A program ready to run.
#[derive(Debug)]
pub struct Program {
    pub path: PathBuf,
    /// The commands that built it, for messages.
    pub commands: Vec<String>,
}

impl Compiler {
    fn command(&self, language: Language) -> Command {
        match self {
            Self::Plain => language.plain(),
            Self::Nonius(binary) => {
                let mut command = Command::new(binary);
                command.arg(language.wrapper());
                if matches!(language, Language::Fortran | Language::Rust) {
                    command.arg("--nonius-verify");
                }
                command
            }
        }
    }
}

/// Builds `case` at `level` in `dir`, which also becomes its working directory when it runs.
pub fn build(case: &Case, level: &Level, compiler: &Compiler, dir: &Path) -> Result<Program> {
    let mut builder = Builder { case, level, compiler, dir, commands: Vec::new() };
    let path = builder.program()?;
    Ok(Program { path, commands: builder.commands })
}

struct Builder<'a> {
    case: &'a Case,
    level: &'a Level,
    compiler: &'a Compiler,
    dir: &'a Path,
    commands: Vec<String>,
}

impl Builder<'_> {
    /// One command for the main source and the link, after one for each other part.
    fn program(&mut self) -> Result<PathBuf> {
        let parts = &self.case.directives.parts;
        let mut linked = Vec::new();
        for part in parts {
            let output = self.part(part)?;
            if part.role != Role::Plugin {
                linked.push(output);
            }
        }
        let program = self.dir.join("program");
        let mut language = language_of(&self.case.main)?;
        let has_cpp = parts.iter().any(|p| Language::of(Path::new(&p.source)) == Some(Language::Cpp));
        if language == Language::C && has_cpp {
            language = Language::Cpp;
        }
        let mut command = self.compiler.command(language);
        self.flags(&mut command, language);
        command.arg(&self.case.main).arg("-o").arg(&program);
        match language {
            Language::Rust => command.args(linked.iter().map(|path| format!("-Clink-arg={}", path.display()))),
            _ => command.args(&linked).args(["-lm", "-Wl,-rpath,$ORIGIN"]),
        };
        self.execute(command)?;
        Ok(program)
    }

    fn part(&mut self, part: &Part) -> Result<PathBuf> {
        let source = self.case.main.with_file_name(&part.source);
        let compiler = if part.role.is_raw() { &Compiler::Plain } else { self.compiler };
        let language = language_of(&source)?;
        let mut command = compiler.command(language);
        self.flags(&mut command, language);
        let extension = match part.role {
            Role::Object | Role::RawObject => "o",
            Role::Shared | Role::RawShared | Role::Plugin => "so",
        };
        let output = self.dir.join(source.with_extension(extension).file_name().context("a part without a name")?);
        command.arg(&source).arg("-o").arg(&output);
        match extension {
            "o" => command.arg("-c"),
            _ => command.args(["-shared", "-fPIC"]),
        };
        self.execute(command)?;
        Ok(output)
    }

    fn flags(&self, command: &mut Command, language: Language) {
        command.args(language.level_flags(self.level)).current_dir(self.dir);
        // They are meant for the main source's compiler.
        if Some(language) == Language::of(&self.case.main) || language != Language::Rust {
            command.args(&self.case.directives.flags);
        }
        let more = std::env::var("NONIUS_CORPUS_FLAGS").unwrap_or_default();
        if language != Language::Rust {
            command.args(more.split_whitespace());
        }
    }

    fn execute(&mut self, mut command: Command) -> Result<()> {
        let shown = format!("{command:?}").replace('"', "");
        let output = command.output().with_context(|| format!("cannot start: {shown}"))?;
        if !output.status.success() {
            bail!("{}: {shown}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        }
        self.commands.push(shown);
        Ok(())
    }
}

fn language_of(source: &Path) -> Result<Language> {
    Language::of(source).with_context(|| format!("{} is in no known language", source.display()))
}
