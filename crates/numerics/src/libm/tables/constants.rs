//! Generated and checked by `tests/tables.rs`: not to be edited by hand.

use super::dd;
use crate::Dd;

/// ln(2)/4096 in parts.
pub(crate) const LN2_4096TH: [f64; 3] = [
    f64::from_bits(0x3f26_2e42_fefa_39ef),
    f64::from_bits(0x3bba_bc9e_3b39_803f),
    f64::from_bits(0x3847_b57a_079a_1934),
];

/// log10(2)/4096 in parts.
pub(crate) const LOG10_2_4096TH: [f64; 3] = [
    f64::from_bits(0x3f13_4413_509f_79ff),
    f64::from_bits(0xbb89_dc1d_a994_fd21),
    f64::from_bits(0x3812_2f04_d5a6_18a8),
];

/// pi/512 in parts.
pub(crate) const PI_512TH: [f64; 4] = [
    f64::from_bits(0x3f79_21fb_5444_2d18),
    f64::from_bits(0x3c11_a626_3314_5c07),
    f64::from_bits(0xb89f_1976_b7ed_8fbc),
    f64::from_bits(0x3534_cf98_e804_177d),
];

/// 4096/ln(2).
pub(crate) const LN2_4096THS: f64 = f64::from_bits(0x40b7_1547_652b_82fe);

/// 4096/log10(2).
pub(crate) const LOG10_2_4096THS: f64 = f64::from_bits(0x40ca_934f_0979_a371);

/// 512/pi.
pub(crate) const PI_512THS: f64 = f64::from_bits(0x4064_5f30_6dc9_c883);

/// ln(2) to 42 bits.
pub(crate) const LN2_HEAD: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);

/// ln(2) - LN2_HEAD.
pub(crate) const LN2_TAIL: Dd = dd(0x3d2e_f357_93c7_6730, 0x398f_97b5_7a07_9a19);

/// ln(2).
pub(crate) const LN2: Dd = dd(0x3fe6_2e42_fefa_39ef, 0x3c7a_bc9e_3b39_803f);

/// ln(10).
pub(crate) const LN10: Dd = dd(0x4002_6bb1_bbb5_5516, 0xbcaf_48ad_494e_a3e9);

/// 1/ln(2).
pub(crate) const LOG2_E: Dd = dd(0x3ff7_1547_652b_82fe, 0x3c77_77d0_ffda_0d24);

/// 1/ln(10).
pub(crate) const LOG10_E: Dd = dd(0x3fdb_cb7b_1526_e50e, 0x3c69_5355_baaa_fad3);

/// pi.
pub(crate) const PI: Dd = dd(0x4009_21fb_5444_2d18, 0x3ca1_a626_3314_5c07);

/// pi/2.
pub(crate) const PI_HALF: Dd = dd(0x3ff9_21fb_5444_2d18, 0x3c91_a626_3314_5c07);

/// 1/3.
pub(crate) const THIRD: Dd = dd(0x3fd5_5555_5555_5555, 0x3c75_5555_5555_5555);

/// 1/5.
pub(crate) const FIFTH: Dd = dd(0x3fc9_9999_9999_999a, 0xbc69_9999_9999_999a);

/// 1/6.
pub(crate) const SIXTH: Dd = dd(0x3fc5_5555_5555_5555, 0x3c65_5555_5555_5555);

/// 1/24.
pub(crate) const TWENTY_FOURTH: Dd = dd(0x3fa5_5555_5555_5555, 0x3c45_5555_5555_5555);
