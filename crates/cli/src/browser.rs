//! Shows a page in the user's browser.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Shows the page, or says where it is if there is no browser.
pub fn open(page: &Path) {
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    match show(&page) {
        true => eprintln!("nonius: the page is {}", page.display()),
        false => eprintln!("nonius: there is no browser here (BROWSER names one): the page is {}", page.display()),
    }
}

/// Shows a page, which is a file or an address; false if there is nothing to show it with.
pub fn show(page: &Path) -> bool {
    commands(page).into_iter().any(|mut command| {
        // In a group of its own, so that a signal for Nonius does not end it.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().is_ok()
    })
}

/// What may show it, best first: BROWSER has a list with colons between, where `%s` stands for the page, and xdg-open
/// needs a display.
fn commands(page: &Path) -> Vec<Command> {
    let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let desktop = set("DISPLAY").or_else(|| set("WAYLAND_DISPLAY")).map(|_| "xdg-open".to_owned());
    let named = set("BROWSER").map(|list| list.split(':').map(str::to_owned).collect::<Vec<_>>());
    let all = named.unwrap_or_default().into_iter().chain(desktop);
    all.filter_map(|line| command(&line, page)).collect()
}

fn command(line: &str, page: &Path) -> Option<Command> {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next()?);
    let mut is_named = false;
    for word in words {
        let with_page = word.contains("%s");
        is_named |= with_page;
        let page = page.to_string_lossy();
        command.arg(if with_page { OsString::from(word.replace("%s", &page)) } else { word.into() });
    }
    if !is_named {
        command.arg(page);
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_named_with_or_without_a_place_for_the_page() {
        let words = |line| {
            let command = command(line, Path::new("/a b.html")).unwrap();
            command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(words("firefox --new-tab"), ["--new-tab", "/a b.html"]);
        assert_eq!(words("show --url=file://%s -q"), ["--url=file:///a b.html", "-q"]);
        assert!(command(" ", Path::new("x")).is_none());
    }
}
