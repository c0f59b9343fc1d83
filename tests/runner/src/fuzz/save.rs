//! A failing program as a folder: its source, what failed, and the commands that show it.

use super::compile::shown;
use super::trial::Failure;
use super::{Reduced, Report, engines};
use std::fs;
use std::io::{Result, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Writes `folder/NAME-LANGUAGE-SEED/{program.*, failure.txt, reproduce.sh}`, and says where.
pub fn save(report: &Report, reduced: &Reduced, folder: &Path) -> Result<PathBuf> {
    let Report { unit, setup, .. } = report;
    let name = format!("{}-{}-{}", reduced.failure.name(), setup.language.wrapper(), unit.seed);
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let source = setup.file_name();
    fs::write(folder.join(source), &reduced.text)?;
    let mut text = fs::File::create(folder.join("failure.txt"))?;
    writeln!(text, "{:#?}\n\nThe whole unit had:", reduced.failure)?;
    for failure in &report.outcome.failures {
        writeln!(text, "{failure:?}")?;
    }
    writeln!(text, "\nThe whole unit again: ./x fuzz {}", again(report))?;
    let path = folder.join("reproduce.sh");
    fs::write(&path, script(report, reduced))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

/// The options of `./x fuzz` that make the unit again.
pub fn again(report: &Report) -> String {
    let unit = &report.unit;
    let language = unit.language.wrapper().replace("rustc", "rust").replace("cc", "c");
    let flags = report.setup.flags.join(" ");
    let kind = format!("{:?}", unit.kind).to_lowercase();
    format!(
        "--seed {} --units 1 --language {language} --kind {kind} --programs {} --flags='{flags}'",
        unit.seed, unit.programs
    )
}

fn script(report: &Report, reduced: &Reduced) -> String {
    let setup = &report.setup;
    let source = Path::new(setup.file_name());
    let (plain, instrumented) = (Path::new("plain"), Path::new("instrumented"));
    let mut script =
        "#!/bin/sh\n# Shows the failure; what it is stands in failure.txt.\ncd \"$(dirname \"$0\")\" || exit 2\n"
            .to_owned();
    let mut line = |text: &str| {
        script.push_str(text);
        script.push('\n');
    };
    line(&format!("{} || exit 2", shown(&setup.plain(source, plain))));
    line(&format!("{} || exit 2", shown(&setup.instrumented(source, instrumented))));
    line("./plain > plain.out; echo \"status $?\" >> plain.out");
    line(
        "NONIUS_OPTIONS=constants=exact:resume=0:report=inline.json ./instrumented > inline.out; echo \"status $?\" >> inline.out",
    );
    if matches!(reduced.failure, Failure::Engines(_) | Failure::ChangedByEvents(_)) {
        let options = format!("oracle=mpfr:{}:constants=exact:resume=0:report=mpfr.json", engines::BITS);
        line(&format!("NONIUS_OPTIONS={options} ./instrumented > mpfr.out; echo \"status $?\" >> mpfr.out"));
        line("diff plain.out mpfr.out");
    }
    if matches!(reduced.failure, Failure::Residues(_)) {
        line("NONIUS_OPTIONS=oracle=residue:constants=exact:resume=0:report=residue.json ./instrumented > residue.out");
    }
    line("diff plain.out inline.out");
    script
}
