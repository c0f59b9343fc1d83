//! `nonius view`: the page on loopback, shown anew when the report changes.
//!
//! The address holds a random word, and requests must name this machine as their host: other users of the machine cannot
//! guess the first, pages of other sites that rebind their name to 127.0.0.1 cannot say the second.

mod request;
mod watched;

use crate::arguments::ViewArguments;
use crate::browser;
use crate::exit::Status;
use anyhow::{Context, Result};
use request::{Answer, Request};
use std::fs::File;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use watched::Watched;

/// Connections at a time: a browser opens six.
const MOST_CONNECTIONS: usize = 32;
/// A connection that says nothing is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves the page until the process is ended.
pub fn view(arguments: &ViewArguments) -> Result<Status> {
    let watched = Watched::new(arguments.files.clone())?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port))
        .with_context(|| format!("cannot listen on port {}: leave --port out to take a free one", arguments.port))?;
    let port = listener.local_addr()?.port();
    let server = Arc::new(Server { word: word()?, port, watched, connections: AtomicUsize::new(0) });
    let address = format!("http://127.0.0.1:{port}/{}/", server.word);
    super::print(&format!("{address}\n"))?;
    let is_shown = !arguments.no_open && browser::show(Path::new(&address));
    let how = if is_shown || arguments.no_open { "" } else { "there is no browser here (BROWSER names one): " };
    eprintln!(
        "nonius: {how}{} is shown at that address, and anew whenever it changes; Ctrl-C ends this",
        server.watched.name()
    );
    for stream in listener.incoming().flatten() {
        serve(&server, stream);
    }
    Ok(Status::Clean)
}

struct Server {
    /// What an address must begin with.
    word: String,
    port: u16,
    watched: Watched,
    connections: AtomicUsize,
}

/// 128 bits that nobody can guess.
fn word() -> Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes)).context("cannot read /dev/urandom")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// In a thread of its own: browsers open connections before they need them.
fn serve(server: &Arc<Server>, stream: TcpStream) {
    if server.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
        server.connections.fetch_sub(1, Ordering::Relaxed);
        return;
    }
    let shared = Arc::clone(server);
    let started = thread::Builder::new().spawn(move || {
        // Whoever asked may have gone.
        let _ = answer(&shared, stream);
        shared.connections.fetch_sub(1, Ordering::Relaxed);
    });
    if started.is_err() {
        server.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer(server: &Server, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let answer = match Request::read(&mut stream)? {
        Some(request) => respond(server, &request),
        None => Answer::refused(400, "this is no request that a browser makes"),
    };
    stream.write_all(&answer.bytes())
}

fn respond(server: &Server, request: &Request) -> Answer {
    let hosts = [format!("127.0.0.1:{}", server.port), format!("localhost:{}", server.port)];
    if !hosts.iter().any(|host| request.host.eq_ignore_ascii_case(host)) {
        return Answer::refused(403, "the request names another host than this machine");
    }
    let Some(rest) = request.path.strip_prefix('/').and_then(|path| path.strip_prefix(server.word.as_str())) else {
        return Answer::refused(404, "there is nothing here: take the address that 'nonius view' printed");
    };
    match rest {
        "/" => Answer::page(server.watched.page()),
        "/version" => Answer::text(200, &server.watched.version()),
        _ => Answer::refused(404, "there is nothing here: take the address that 'nonius view' printed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Program, Report};

    fn server(folder: &Path) -> Server {
        let report = Report::new(Program { path: "/bin/a".into(), ..Program::default() }, "residue");
        let path = folder.join("a.json");
        std::fs::write(&path, nonius_report::json::write(&report).unwrap()).unwrap();
        let watched = Watched::new(vec![path]).unwrap();
        Server { word: "secret".into(), port: 4000, watched, connections: AtomicUsize::new(0) }
    }

    fn status(server: &Server, host: &str, path: &str) -> u16 {
        respond(server, &Request { host: host.into(), path: path.into() }).status
    }

    #[test]
    fn only_this_machine_and_the_right_address_see_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path());
        assert_eq!(status(&server, "127.0.0.1:4000", "/secret/"), 200);
        assert_eq!(status(&server, "LOCALHOST:4000", "/secret/version"), 200);
        for host in ["evil.example:4000", "127.0.0.1:4001", "127.0.0.1", "", "127.0.0.1:4000.evil.example"] {
            assert_eq!(status(&server, host, "/secret/"), 403, "{host}");
        }
        for path in ["/", "", "/secre/", "/secret", "/secret/../a.json", "/secret/a.json", "//secret/"] {
            assert_eq!(status(&server, "127.0.0.1:4000", path), 404, "{path}");
        }
    }

    #[test]
    fn words_differ() {
        let (a, b) = (word().unwrap(), word().unwrap());
        assert!(a != b && a.len() == 32);
    }
}
