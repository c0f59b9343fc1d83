//! Annotations: `//~ KIND[: LO..HI bits lost] [@PLACE] [{CLASS}] [[LEVEL,...]]` on the line that a finding names.
//!
//! (`!~` in Fortran.) `//~^` speaks of the line above (one for each caret), `//~?` of a finding that may come or not:
//! for the rare place where the verdict hangs on more digits than an oracle is bound to have.

use crate::language::Language;
use anyhow::{Context, Result, bail};
use std::ops::RangeInclusive;
use std::path::Path;

const KINDS: &[&str] = &["precision-loss", "branch-flip", "cast-flip", "nan", "inf", "load-mismatch"];
const PLACES: &[&str] = &["return", "argument", "store", "output", "branch", "cast", "api", "operation"];

const CLASSES: &[&str] = &["residual", "tolerance-test", "choice", "assertion", "on-purpose", "none"];

/// A finding that a source line announces.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// File name without its folder.
    pub file: String,
    pub line: u32,
    pub kind: String,
    pub bits_lost: Option<RangeInclusive<f64>>,
    pub place: Option<String>,
    /// `none`: it must have no class.
    pub class: Option<String>,
    /// Empty: every level.
    pub levels: Vec<String>,
    pub optional: bool,
}

impl Annotation {
    pub fn applies_to(&self, level: &str) -> bool {
        self.levels.is_empty() || self.levels.iter().any(|l| l == level)
    }

    /// The annotation as it is written, for messages.
    pub fn text(&self) -> String {
        let mut text = self.kind.clone();
        if let Some(bits) = &self.bits_lost {
            text += &format!(": {}..{} bits lost", bits.start(), bits.end());
        }
        if let Some(place) = &self.place {
            text += &format!(" @{place}");
        }
        if let Some(class) = &self.class {
            text += &format!(" {{{class}}}");
        }
        text
    }
}

/// All annotations of one source file.
pub fn parse(file: &str, source: &str) -> Result<Vec<Annotation>> {
    let mut found = Vec::new();
    let mark = mark(file);
    for (line, text) in (1u32..).zip(source.lines()) {
        for part in text.split(mark.as_str()).skip(1) {
            found.push(parse_one(file, line, part).with_context(|| format!("{file}:{line}: `{mark}{part}`"))?);
        }
    }
    Ok(found)
}

/// What begins an annotation in this file.
pub fn mark(file: &str) -> String {
    format!("{}~", Language::of(Path::new(file)).unwrap_or(Language::C).comment())
}

fn parse_one(file: &str, line: u32, text: &str) -> Result<Annotation> {
    let (optional, text) = text.strip_prefix('?').map_or((false, text), |rest| (true, rest));
    let above = u32::try_from(text.chars().take_while(|c| *c == '^').count())?;
    let mut rest = text.trim_start_matches('^').trim();
    let mut levels = Vec::new();
    if let Some((before, list)) = rest.split_once('[') {
        let list = list.trim().strip_suffix(']').context("`[` without `]` at the end")?;
        levels = list.split(',').map(|l| l.trim().to_owned()).collect();
        rest = before.trim();
    }
    let mut class = None;
    if let Some((before, name)) = rest.split_once('{') {
        let name = name.trim().strip_suffix('}').context("`{` without `}` behind it")?;
        if !CLASSES.contains(&name) {
            bail!("no class is named `{name}`");
        }
        class = Some(name.to_owned());
        rest = before.trim();
    }
    let mut place = None;
    if let Some((before, name)) = rest.split_once('@') {
        if !PLACES.contains(&name) {
            bail!("no place is named `{name}`");
        }
        place = Some(name.to_owned());
        rest = before.trim();
    }
    let (kind, bits) = rest.split_once(':').map_or((rest, None), |(kind, bits)| (kind.trim(), Some(bits.trim())));
    if !KINDS.contains(&kind) {
        bail!("no kind is named `{kind}`");
    }
    let bits_lost = bits.map(parse_bits).transpose()?;
    if (kind == "precision-loss") != bits_lost.is_some() {
        bail!("a range of bits belongs to precision-loss, and only to it");
    }
    Ok(Annotation {
        file: file.to_owned(),
        line: line - above,
        kind: kind.to_owned(),
        bits_lost,
        place,
        class,
        levels,
        optional,
    })
}

fn parse_bits(text: &str) -> Result<RangeInclusive<f64>> {
    let range = text.strip_suffix("bits lost").context("expected `LO..HI bits lost`")?.trim();
    let (low, high) = range.split_once("..").context("expected `LO..HI bits lost`")?;
    Ok(low.trim().parse()?..=high.trim().parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_part() {
        let text = "a;\nb; //~ precision-loss: 33..53 bits lost @output {residual} [O0,O2] //~ nan\n//~?^ branch-flip";
        let all = parse("x.c", text).unwrap();
        assert_eq!(all[0].bits_lost, Some(33.0..=53.0));
        assert_eq!((all[0].place.as_deref(), all[0].class.as_deref()), (Some("output"), Some("residual")));
        assert!(all[0].applies_to("O2") && !all[0].applies_to("O3"));
        assert_eq!((all[1].kind.as_str(), all[1].line, all[1].optional), ("nan", 2, false));
        assert_eq!((all[2].kind.as_str(), all[2].line, all[2].optional), ("branch-flip", 2, true));
    }

    #[test]
    fn fortran_has_its_own_comments() {
        assert_eq!(parse("x.f90", "x = y !~ nan").unwrap()[0].kind, "nan");
        assert!(parse("x.f90", "x = y //~ nan").unwrap().is_empty());
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for text in [
            "//~ nann",
            "//~ precision-loss",
            "//~ nan: 3..4 bits lost",
            "//~ nan @moon",
            "//~ nan {odd}",
            "//~ nan {none",
            "//~ nan [O0",
        ] {
            assert!(parse("x.c", text).is_err(), "{text}");
        }
    }
}
