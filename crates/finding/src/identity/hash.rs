//! FNV-1a: written out because ids are kept in baselines, and the standard library's hasher
//! may change from one release to the next.

pub(crate) struct Fnv(u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Ends each part, so that ("ab", "c") and ("a", "bc") differ; 0xff is never in UTF-8.
    pub fn part(&mut self, text: &str) {
        self.write(text.as_bytes());
        self.write(&[0xff]);
    }

    pub fn number(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    /// FNV mixes its last bytes poorly into the high half, which is the half that is kept.
    pub fn finish(&self) -> u64 {
        let mut h = self.0;
        h = (h ^ (h >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        h ^ (h >> 32)
    }
}
