//! Pieces for Rust.

use super::{Template, double, float};

pub const TEMPLATES: &[Template] = &[
    double("if $0 < $1 { $r = $2; } else { $r = $1; }"),
    double("$r = match small($0) & 3 { 0 => $1, 1 => $2, 2 => -$r, _ => $r * 0.5 };"),
    double("$r = ($0 as i64) as f64 * 1e-3 + ($1 as u64) as f64;"),
    double("$r = ($0 as i32) as f64 + ($1 as u32) as f64 - ($2 as i16) as f64;"),
    double("$r = ($0 as u8) as f64 - ($1 as i8) as f64 + ($2 as u16) as f64;"),
    double("$r = ($0 as i128) as f64 + ($1 as u128) as f64;"),
    double("$r = ($0 as i64).wrapping_mul(3) as f32 as f64;"),
    double("$r = f64::from_bits(ordered($0).to_bits() ^ (1 << 63));"),
    double("$r = f64::from_bits(ordered($0).to_bits() & !0xfff) + $1;"),
    double(
        "{ let e = Either { d: ordered($0) }; let f = unsafe { e.f }; let g = Either { f }; $r = unsafe { g.d } - $1; }",
    ),
    double("{ let b = $0.to_ne_bytes(); let mut c = b; c.reverse(); c.reverse(); $r = f64::from_ne_bytes(c) * 2.0; }"),
    double("$r = drain(fill($0), make($1, 2.5));"),
    double(
        "{ let m = make($0, $1 as f32); let n = Mixed { c: 4, ..m }; $r = n.b + (n.d * n.c as f32) as f64 - n.a as f64; }",
    ),
    double("{ let p = swap_pair(swap_pair(Pair { a: $0 as f32, b: $1 as f32 })); $r = (p.a - p.b) as f64; }"),
    double(
        "{ let fs: [extern \"C\" fn(Pair) -> Pair; 2] = [swap_pair, scale_pair]; let p = black_box(fs)[(small($2) & 1) as usize](Pair { a: $0 as f32, b: $1 as f32 }); $r = (p.a + p.b) as f64; }",
    ),
    double("$r = recurse($0, small($1) & 7);"),
    double("$r = black_box(TABLE)[(small($0) & 3) as usize]($1);"),
    double("{ let s = shape($0, small($1)); $r = s.area($2) + s.edge() as f64; }"),
    double(
        "{ let shapes: Vec<Box<dyn Shape>> = (0..4).map(|n| shape($0 + n as f64, n)).collect(); $r = shapes.iter().map(|s| s.area($1)).sum(); }",
    ),
    double("{ let v = Vec3 { x: $0, y: $1, z: $2 }; $r = dot(v + v * 0.5, v); }"),
    double("{ let v = Vec3 { x: $0 as f32, y: $1 as f32, z: 2.0 }; $r = dot(v, v * 3.0) as f64; }"),
    double("$r = weigh(&choice($0, $1, small($2) & 7));"),
    double(
        "{ let t: Vec<Choice> = (0..5).map(|n| choice($0, $1 + n as f64, n)).collect(); $r = t.iter().map(weigh).fold(0.0, |s, x| s * 0.5 + x); }",
    ),
    double("$r = maybe($0).unwrap_or($1) + maybe($2).map_or(1.0, |x| x * 2.0);"),
    double("$r = match tries($0, $1) { Ok(x) => x, Err(y) => y as f64 - 1.0 };"),
    double("$r = safe($0, small($1) & 3);"),
    double("$r = safe($0, 1) - safe($1, 2) + safe($2, 0);"),
    double("{ let t = [$0, $1, $2, 1.0, 2.0]; $r = t.iter().sum::<f64>() - t.iter().product::<f64>(); }"),
    double(
        "{ let mut t: Vec<f64> = (0..12).map(|k| $0 * k as f64 - $1).collect(); t.remove(3); t.insert(0, $2); t.push(1.0); $r = t.iter().zip(t.iter().rev()).map(|(a, b)| a * b).sum(); }",
    ),
    double(
        "{ let mut t = vec![ordered($0), ordered($1), ordered($2), 1.0, -1.0]; t.sort_by(f64::total_cmp); $r = t[0] * 2.0 + t[4] - t[2]; }",
    ),
    double(
        "{ let mut t = [$0, $1, $2, 4.0]; t.swap(0, 3); t.rotate_left(1); let (a, b) = t.split_at(2); $r = a[0] - b[1] + a[1] * b[0]; }",
    ),
    double(
        "{ let t: Vec<f64> = (0..32).map(|k| $0 + k as f64 * 0.25).collect(); $r = t.windows(3).map(|w| (w[0] + w[1] + w[2]) / 3.0).fold(0.0, f64::max) + t.chunks(5).map(|c| c.iter().sum::<f64>()).last().unwrap_or(0.0); }",
    ),
    double(
        "{ let t: Vec<f32> = (0..24).map(|k| $0 as f32 * k as f32).collect(); $r = t.iter().map(|&x| x as f64 * x as f64).sum::<f64>().sqrt(); }",
    ),
    double(
        "{ let mut m = [[0.0f64; 4]; 4]; for i in 0..4 { for j in 0..4 { m[i][j] = $0 * i as f64 - $1 * j as f64; } } let mut s = 0.0; for i in 0..4 { for j in 0..4 { s += m[i][j] * m[j][i]; } } $r = s; }",
    ),
    double(
        "{ let mut t = [0.0f64; 40]; for (k, x) in t.iter_mut().enumerate() { *x = if k % 2 == 0 { $0 } else { $1 }; } let mut s = 0.0; for x in t { if x > s { s = x } else { s += x * 0.125 } } $r = s; }",
    ),
    double(
        "{ let mut map = BTreeMap::new(); for k in 0..6 { *map.entry((small($0) + k).rem_euclid(4)).or_insert(0.0) += $1 * k as f64; } $r = map.iter().map(|(k, x)| x * *k as f64).sum(); }",
    ),
    double(
        "{ let mut a = $0; let mut f = |x: f64| { a = a * 0.5 + x; a }; let b = f($1); let c = f($2); $r = b - c + a; }",
    ),
    double("$r = apply(&adder($0), $1) + apply(&|x, y| x * y as f64, $2);"),
    double(
        "{ let fs: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(move |x| x + 1.0), Box::new(|x: f64| x.cos())]; $r = fs.iter().fold($0, |x, f| f(x)); }",
    ),
    double("$r = sums([$0, $1, $2]) - sums([$0; 7]);"),
    double("{ let mut q = 0.0f32; let mut p = 0.0; out($0, &mut p, &mut q); $r = p + q as f64; }"),
    double(
        "{ let rc = Rc::new(RefCell::new($0)); let other = Rc::clone(&rc); *other.borrow_mut() += $1; $r = *rc.borrow() * Rc::strong_count(&rc) as f64; }",
    ),
    double(
        "{ let x = $0; let y = $1; let a = std::thread::spawn(move || (0..10).fold(0.0, |a, _| a * 0.5 + x)); let b = std::thread::spawn(move || (y * 3.0, y as f32)); let (c, d) = b.join().unwrap(); $r = a.join().unwrap() - c + d as f64; }",
    ),
    double(
        "{ let (x, y) = ($0, $1); let mut t = [x, y, 1.0, 2.0]; std::thread::scope(|s| { for part in t.chunks_mut(2) { s.spawn(move || part.iter_mut().for_each(|z| *z = *z * 0.5 + 1.0)); } }); $r = t[0] - t[3]; }",
    ),
    double(
        "{ let (send, receive) = mpsc::channel(); let x = $0; std::thread::spawn(move || { for k in 0..3 { send.send(x * k as f64).unwrap(); } }); $r = receive.iter().sum::<f64>() + $1; }",
    ),
    double(
        "{ let m = Arc::new(Mutex::new($0)); let n = Arc::clone(&m); let y = $1; std::thread::spawn(move || *n.lock().unwrap() *= y).join().unwrap(); $r = *m.lock().unwrap(); }",
    ),
    double(
        "SHARED.store(ordered($0).to_bits(), Ordering::SeqCst); SHARED.fetch_xor(1 << 63, Ordering::SeqCst); $r = f64::from_bits(SHARED.load(Ordering::SeqCst)) + $1;",
    ),
    double(
        "{ let a = AtomicU32::new(($0 as f32).to_bits()); let was = f32::from_bits(a.swap(($1 as f32).to_bits(), Ordering::AcqRel)); $r = (was - f32::from_bits(a.into_inner())) as f64; }",
    ),
    double("{ let x = $0; $r = LOCAL.with(|l| { l.set(l.get() * 0.5 + x); l.get() }); LOCAL.set(0.25); }"),
    double(
        "{ let text = format!(\"{} {:.3} {:e}\", ordered($0), ordered($1), ordered($2)); $r = text.split(' ').map(|t| t.parse::<f64>().unwrap_or(0.0)).sum::<f64>() + text.len() as f64; }",
    ),
    double("{ let text = format!(\"{:?}\", ordered($0)); $r = text.parse::<f64>().unwrap() - $1; }"),
    double("$r = $0.floor() + $1.ceil() - $2.trunc() + $0.fract();"),
    double("$r = $0.round() - $1.round_ties_even() + $2.signum() * 0.5;"),
    double("$r = $0.min($1) + $1.max($2) - ordered($0).clamp(-1.0, 1.0);"),
    double("$r = $0.abs().sqrt() + $1.sin_cos().0 - $2.exp().min(1e10) + $0.powi(3);"),
    double("$r = $0.mul_add($1, $2) + $1.hypot($2) + $0.atan2($1) + $2.abs().ln_1p();"),
    double("$r = $0.rem_euclid(3.0) + $1 % 2.5 + $2.to_degrees() + ordered($0).copysign(ordered($1));"),
    double(
        "$r = ($0.is_nan() as i32 + 2 * $1.is_infinite() as i32 + 4 * ordered($2).is_sign_negative() as i32 + 8 * $0.is_normal() as i32) as f64;",
    ),
    double("$r = $0.tan().tanh() + $1.cbrt() + $2.abs().powf(0.3) + $0.asinh();"),
    double("$r = match $0.partial_cmp(&$1) { Some(std::cmp::Ordering::Less) => 1.0, Some(_) => $2, None => 3.0 };"),
    double("{ let x: f64 = black_box($0); let y = black_box(x) * 2.0; $r = y - $1; }"),
    double(
        "{ let mut n = 0; let mut x = $0.abs() + 1.0; while x > 1.0 && n < 60 { x *= 0.5; n += 1; } $r = x + n as f64; }",
    ),
    double(
        "{ let x = $0.abs() + 1.0; let mut y = x; for _ in 0..30 { if (y * y - x).abs() <= 1e-10 * x { break; } y = 0.5 * (y + x / y); } $r = y; }",
    ),
    double(
        "{ let mut s = 0.0; let mut c = 0.0; for k in 0..20 { let y = $0 / (k + 1) as f64 - c; let t = s + y; c = (t - s) - y; s = t; } $r = s; }",
    ),
    double(
        "{ let b: Box<[f64]> = vec![$0, $1, $2].into_boxed_slice(); let c = b.clone(); $r = b.iter().zip(c.iter()).map(|(x, y)| x * y).sum::<f64>(); }",
    ),
    double(
        "{ let s: String = [$0, $1].iter().map(|x| if *x > 1.0 { 'a' } else { 'b' }).collect(); $r = if s == \"ab\" { $2 } else { s.len() as f64 }; }",
    ),
    double(
        "{ let t = (0..9).map(|k| ($0 * k as f64).sin()).collect::<Vec<_>>(); $r = t.iter().copied().reduce(|a, b| a * 0.5 + b).unwrap(); }",
    ),
    float("if $0 < $1 { $r = $2; } else { $r = $0 * $1; }"),
    float("$r = f32::from_bits(ordered32($0).to_bits() & 0xfffff000);"),
    float(
        "{ let u = 0x5f3759dfu32 - ($0.to_bits() >> 1 & 0x3fffffff); let f = f32::from_bits(u); $r = f * (1.5 - 0.5 * f); }",
    ),
    float("$r = ($0 as i32) as f32 + ($1 as u8) as f32 * 0.5 + ($2 as i64) as f32;"),
    float(
        "{ let t: [f32; 32] = std::array::from_fn(|k| if k % 4 == 0 { $1 } else { $0 + k as f32 }); let s: f32 = t.iter().map(|x| x * x).sum(); $r = s - t.iter().copied().fold(t[0], f32::min); }",
    ),
    float("$r = $0.abs().sqrt() + $1.floor() - $2.round() + $0.mul_add($1, $2);"),
    float("$r = $0.cos() * $1.min(20.0).exp() + $2.abs().ln_1p() + $0 % 3.0;"),
    float(
        "{ let p = black_box([swap_pair, scale_pair] as [extern \"C\" fn(Pair) -> Pair; 2])[(small($2 as f64) & 1) as usize](Pair { a: $0, b: $1 }); $r = p.a - p.b; }",
    ),
    float("$r = safe($0 as f64, small($1 as f64) & 3) as f32 + $2;"),
    float("{ let x = $0; $r = std::thread::spawn(move || x * 0.5 + 1.0).join().unwrap(); }"),
    float("{ let text = format!(\"{:e}\", ordered32($0)); $r = text.parse::<f32>().unwrap() + text.len() as f32; }"),
    float("{ let v = Vec3 { x: $0, y: $1, z: $2 }; $r = dot(v + v, v * 0.5); }"),
];
