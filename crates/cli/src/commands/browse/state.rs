//! What is shown, and what keys do to it.

use super::source;
use nonius_finding::{Finding, Location, Report};
use nonius_report::{Sources, explain, headline, position};
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use std::path::PathBuf;

/// Where the user is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum View {
    List,
    /// A finding in words.
    Finding,
    /// The source: a file, and the step of the finding's path whose line is shown.
    Source {
        step: usize,
    },
    Help,
}

pub(super) struct State {
    pub report: Report,
    pub sources: Sources,
    pub view: View,
    /// The findings that fit the search, by their numbers.
    pub fitting: Vec<usize>,
    /// Which of them is chosen.
    pub chosen: usize,
    pub search: String,
    pub is_typing: bool,
    /// The first line that is shown of a text.
    pub scroll: usize,
    /// Lines that fit on the screen, as was last drawn.
    pub height: usize,
    pub is_done: bool,
}

impl State {
    pub(super) fn new(report: Report, base: Option<PathBuf>) -> State {
        let fitting = (0..report.findings.len()).collect();
        State {
            report,
            sources: Sources::new(base),
            view: View::List,
            fitting,
            chosen: 0,
            search: String::new(),
            is_typing: false,
            scroll: 0,
            height: 20,
            is_done: false,
        }
    }

    pub(super) fn finding(&self) -> Option<&Finding> {
        self.report.findings.get(*self.fitting.get(self.chosen)?)
    }

    /// What is said of the chosen finding, in lines.
    pub(super) fn words(&mut self) -> Vec<String> {
        let Some(number) = self.fitting.get(self.chosen) else { return Vec::new() };
        explain::render(&self.report.findings[*number], &mut self.sources).lines().map(str::to_owned).collect()
    }

    /// Where the chosen finding's error went, from where it was introduced to where it was seen.
    pub(super) fn path(&self) -> Vec<(Location, String)> {
        self.finding().map(source::path).unwrap_or_default()
    }

    pub(super) fn press(&mut self, key: KeyCode, modifiers: KeyModifiers) {
        if modifiers.contains(KeyModifiers::CONTROL) {
            self.is_done |= key == KeyCode::Char('c');
        } else if self.is_typing {
            self.type_search(key);
        } else {
            self.act(key);
        }
    }

    fn type_search(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Esc => {
                self.search.clear();
                self.is_typing = false;
            }
            KeyCode::Backspace => drop(self.search.pop()),
            KeyCode::Char(letter) => self.search.push(letter),
            _ => {}
        }
        self.filter();
    }

    /// The same words as on the page: all must be there.
    fn filter(&mut self) {
        let words: Vec<String> = self.search.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |f: &Finding| {
            let place = position(&f.location, &self.sources);
            let text =
                [headline(f).as_str(), &place, &f.location.function, f.kind.as_str(), &f.id].join("\n").to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.fitting = (0..self.report.findings.len()).filter(|n| fits(&self.report.findings[*n])).collect();
        self.chosen = 0;
    }

    fn act(&mut self, key: KeyCode) {
        let page = self.height.max(2) as isize - 1;
        match key {
            KeyCode::Char('q') => self.is_done = true,
            KeyCode::Char('?') => self.go(View::Help),
            KeyCode::Char('/') => {
                self.go(View::List);
                self.is_typing = true;
            }
            KeyCode::Esc | KeyCode::Char('u') | KeyCode::Left | KeyCode::Backspace => self.back(),
            KeyCode::Enter | KeyCode::Right => self.enter(),
            KeyCode::Char('s') if self.finding().is_some() => {
                self.go(View::Source { step: self.path().len().saturating_sub(1) })
            }
            KeyCode::Char('j') => self.next(1),
            KeyCode::Char('k') => self.next(-1),
            KeyCode::Down => self.shift(1),
            KeyCode::Up => self.shift(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.shift(page),
            KeyCode::PageUp => self.shift(-page),
            KeyCode::Home | KeyCode::Char('g') => self.shift(isize::MIN / 2),
            KeyCode::End | KeyCode::Char('G') => self.shift(isize::MAX / 2),
            _ => {}
        }
    }

    fn go(&mut self, view: View) {
        (self.view, self.scroll) = (view, 0);
    }

    fn back(&mut self) {
        match self.view {
            View::List => {}
            View::Source { .. } => self.go(View::Finding),
            View::Finding | View::Help => self.go(View::List),
        }
    }

    fn enter(&mut self) {
        match self.view {
            View::List if self.finding().is_some() => self.go(View::Finding),
            View::Finding => self.go(View::Source { step: self.path().len().saturating_sub(1) }),
            _ => {}
        }
    }

    /// The next finding; in the source, the next step of its path.
    fn next(&mut self, by: isize) {
        if let View::Source { step } = self.view {
            let last = self.path().len().saturating_sub(1);
            self.go(View::Source { step: moved(step, by, last) });
        } else {
            self.chosen = moved(self.chosen, by, self.fitting.len().saturating_sub(1));
            self.scroll = 0;
        }
    }

    fn shift(&mut self, by: isize) {
        match self.view {
            View::List => self.chosen = moved(self.chosen, by, self.fitting.len().saturating_sub(1)),
            View::Source { .. } if by.abs() == 1 => self.next(by),
            // How far it goes is known when it is drawn.
            _ => self.scroll = moved(self.scroll, by, usize::MAX / 4),
        }
    }
}

fn moved(at: usize, by: isize, last: usize) -> usize {
    at.saturating_add_signed(by).min(last)
}
