//! Parts of a page's data: JSON, compressed, in base64. The page unpacks a part when it is first looked at, and nothing
//! that a report says can end the element that it lies in.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::Write;

/// A part as text of letters, digits, `+`, `/` and `=`.
pub(super) fn packed(part: &(impl Serialize + ?Sized)) -> String {
    let json = serde_json::to_vec(part).unwrap_or_else(|_| b"null".to_vec());
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Memory takes whatever is written to it.
    let _ = encoder.write_all(&json);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

/// The source of a content policy that allows this text alone.
pub(super) fn policy_hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// A number for the page: JSON has no NaN and no infinities.
pub(super) fn number(x: f64) -> serde_json::Value {
    match x {
        _ if x.is_finite() => x.into(),
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        _ => "nan".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_has_harmless_letters_only() {
        let text = packed(&["</script><script>alert(1)</script>", "-->"]);
        assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)), "{text}");
        let bytes = STANDARD.decode(text).unwrap();
        let mut json = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut json).unwrap();
        assert_eq!(json, r#"["</script><script>alert(1)</script>","-->"]"#);
    }

    #[test]
    fn a_policy_names_a_text_by_its_hash() {
        assert_eq!(policy_hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        assert_eq!((number(1.5), number(f64::NAN)), (1.5.into(), "nan".into()));
    }
}
