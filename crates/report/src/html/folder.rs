//! The folder that a page's paths are shown below: where nearly all findings are.

use nonius_finding::Report;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// So many of a hundred findings lie below it; the others may be in headers of the system.
const SHARE: usize = 90;

/// The deepest folder that holds nearly all places of findings whose files have absolute paths, but those below `base`,
/// which are short already.
pub(super) fn of(report: &Report, base: Option<&Path>) -> Option<PathBuf> {
    let is_long = |file: &&Path| file.is_absolute() && base.is_none_or(|base| !file.starts_with(base));
    let files = report.findings.iter().chain(&report.known).map(|f| Path::new(&f.location.file)).filter(is_long);
    let mut files: Vec<&Path> = files.collect();
    let least = (files.len() * SHARE).div_ceil(100);
    let mut folder = PathBuf::from("/");
    loop {
        let mut inside: BTreeMap<&Path, usize> = BTreeMap::new();
        for file in &files {
            let mut folders = file.parent().into_iter().flat_map(Path::ancestors).collect::<Vec<_>>();
            folders.reverse();
            if let Some(next) = folders.get(folder.components().count()) {
                *inside.entry(next).or_default() += 1;
            }
        }
        let Some(next) = inside.into_iter().find(|(_, count)| *count >= least).map(|(next, _)| next.to_owned()) else {
            return (folder != Path::new("/")).then_some(folder);
        };
        files.retain(|file| file.starts_with(&next));
        folder = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Finding, Kind, Location, ObservedAt, Precision, Program, Worst};

    fn folder(files: &[&str], base: Option<&str>) -> Option<String> {
        let finding = |file: &&str| {
            let location = Location::new(file, 1, 1, "");
            let worst = Worst::new(1.0, 2.0, Precision::Double);
            Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location, "addition", worst)
        };
        let mut report = Report::new(Program::default(), "residue");
        report.findings = files.iter().map(finding).collect();
        of(&report, base.map(Path::new)).map(|folder| folder.display().to_string())
    }

    #[test]
    fn most_findings_are_below() {
        assert_eq!(folder(&["/a/gsl/x/1.c", "/a/gsl/y/2.c"], None).as_deref(), Some("/a/gsl"));
        assert_eq!(folder(&["/a/gsl/x/1.c"], None).as_deref(), Some("/a/gsl/x"));
        let mut files = vec!["/a/gsl/x/1.c"; 10];
        files.extend(["/a/gsl/y/2.c"; 9]);
        files.push("/usr/include/math.h");
        assert_eq!(folder(&files, None).as_deref(), Some("/a/gsl"));
        assert_eq!(folder(&["/a/x.c", "/b/x.c"], None), None);
        assert_eq!(folder(&["/x.c", "x.c", ""], None), None);
        assert_eq!(folder(&[], None), None);
        assert_eq!(folder(&["/home/me/a.c", "/a/gsl/x/1.c"], Some("/home/me")).as_deref(), Some("/a/gsl/x"));
    }
}
