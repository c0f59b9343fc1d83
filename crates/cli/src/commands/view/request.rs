//! As much of HTTP as a browser needs to be shown one page.

use std::io::{self, Read};

/// Longer heads are refused.
const MOST_BYTES: u64 = 16 << 10;

/// A request for a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub host: String,
    pub path: String,
}

impl Request {
    /// Reads the head of a request; nothing if it is not one, or asks for something else than a page.
    pub(super) fn read(stream: &mut impl Read) -> io::Result<Option<Request>> {
        let (mut head, mut buffer) = (Vec::new(), [0; 1024]);
        let mut limited = stream.take(MOST_BYTES);
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            match limited.read(&mut buffer)? {
                0 => return Ok(None),
                length => head.extend_from_slice(&buffer[..length]),
            }
        }
        Ok(std::str::from_utf8(&head).ok().and_then(Request::parse))
    }

    fn parse(head: &str) -> Option<Request> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, path, version) = (words.next()?, words.next()?, words.next()?);
        if method != "GET" || !version.starts_with("HTTP/1.") || words.next().is_some() {
            return None;
        }
        let mut hosts =
            lines.filter_map(|line| line.split_once(':')).filter(|(name, _)| name.eq_ignore_ascii_case("host"));
        let host = hosts.next()?.1.trim().to_owned();
        // Two of them may be read in two ways.
        hosts.next().is_none().then(|| Request { host, path: path.to_owned() })
    }
}

/// What is sent back.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: u16,
    kind: &'static str,
    body: String,
}

impl Answer {
    pub(super) fn page(body: String) -> Answer {
        Answer { status: 200, kind: "text/html; charset=utf-8", body }
    }

    pub(super) fn text(status: u16, body: &str) -> Answer {
        Answer { status, kind: "text/plain; charset=utf-8", body: body.to_owned() }
    }

    pub(super) fn refused(status: u16, why: &str) -> Answer {
        Answer::text(status, &format!("nonius: {why}\n"))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let reason = match self.status {
            200 => "OK",
            403 => "Forbidden",
            404 => "Not Found",
            _ => "Bad Request",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        [head.as_bytes(), self.body.as_bytes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn requests_name_a_page_and_a_host() {
        let request = read("GET /a/ HTTP/1.1\r\nAccept: *\r\nHOST: 127.0.0.1:1 \r\n\r\n");
        assert_eq!(request, Some(Request { host: "127.0.0.1:1".into(), path: "/a/".into() }));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(20_000));
        let bad = [
            "",
            "GET /",
            "POST / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\nHost: a\r\n\r\n",
            "GET / x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            &long,
        ];
        bad.iter().for_each(|text| assert_eq!(read(text), None, "{text:.40}"));
        assert_eq!(Request::read(&mut &b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n"[..]).unwrap(), None);
    }
}
