//! `nonius browse`: a report in the terminal, with the order, keys and source view of the page.

mod draw;
mod source;
mod state;

use crate::arguments::BrowseArguments;
use crate::exit::Status;
use anyhow::{Context, Result, bail};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use state::State;
use std::io::{self, IsTerminal};

/// Shows a report until the user leaves.
pub fn browse(arguments: &BrowseArguments) -> Result<Status> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        bail!("nonius browse needs a terminal: 'nonius report' writes the same as text");
    }
    let report = super::report::read(&arguments.files)?;
    let mut state = State::new(report, std::env::current_dir().ok());
    // It restores the terminal if anything panics, too.
    let mut terminal = ratatui::try_init().context("cannot use this terminal")?;
    let outcome = run(&mut terminal, &mut state);
    ratatui::restore();
    outcome.context("the terminal cannot be used")?;
    Ok(Status::Clean)
}

fn run(terminal: &mut DefaultTerminal, state: &mut State) -> io::Result<()> {
    while !state.is_done {
        terminal.draw(|frame| draw::all(frame, state))?;
        if let Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) = event::read()? {
            state.press(code, modifiers);
        }
    }
    Ok(())
}
