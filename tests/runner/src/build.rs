//! Compiles a test, by plain clang or by Nonius, with exactly the same flags.

use crate::corpus::{Case, is_cpp};
use crate::directive::{Part, Role};
use crate::level::Level;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who compiles the instrumented parts.
#[derive(Clone, Debug)]
pub enum Compiler {
    Clang,
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
    fn command(&self, cpp: bool) -> Command {
        match self {
            Self::Clang => Command::new(if cpp { "clang++-22" } else { "clang-22" }),
            Self::Nonius(binary) => {
                let mut command = Command::new(binary);
                command.arg(if cpp { "c++" } else { "cc" });
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
        let cpp = is_cpp(&self.case.main) || parts.iter().any(|p| is_cpp(Path::new(&p.source)));
        let mut command = self.compiler.command(cpp);
        self.flags(&mut command);
        command.arg(&self.case.main).args(&linked).arg("-o").arg(&program);
        command.args(["-lm", "-Wl,-rpath,$ORIGIN"]);
        self.execute(command)?;
        Ok(program)
    }

    fn part(&mut self, part: &Part) -> Result<PathBuf> {
        let source = self.case.main.with_file_name(&part.source);
        let compiler = if part.role.is_raw() { &Compiler::Clang } else { self.compiler };
        let mut command = compiler.command(is_cpp(&source));
        self.flags(&mut command);
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

    fn flags(&self, command: &mut Command) {
        command.args(self.level.flags).args(&self.case.directives.flags).current_dir(self.dir);
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
