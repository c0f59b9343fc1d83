//! Makes the function mean in IR what its own target would compute, and only then lets it use
//! the machine's wider instructions.
//!
//! Two things would otherwise change the program's results where the target has no FMA: its
//! `llvm.fmuladd` is a product and a sum, and its `contract` flags never fuse anything. Without SSE 4.1
//! its `round` is the library's. And a function that passes wide vectors by value has another calling
//! convention under AVX.

use crate::llvm::{Builder, Kind, Module, Opcode, Type, Value};
use crate::options::Options;
use std::collections::HashSet;

/// The function's own target features, kept while it is compiled for more.
const OWN_FEATURES: &str = "nonius-own-features";

const CONSTRAINED_FMULADD: &str = "llvm.experimental.constrained.fmuladd.";

fn own_features(function: Value) -> String {
    let own = function.string_attribute(OWN_FEATURES);
    own.or_else(|| function.string_attribute("target-features")).unwrap_or_default()
}

/// Before the vectorizers: AVX2, so that the program's vectors, and with them the shadows, are as
/// wide as the machine's. Each lane computes what it did; only what may be rearranged would
/// come out otherwise, so functions with such operations keep their width. Leave to contract,
/// which flang gives to every operation, means nothing where nothing fuses.
pub fn widen(module: Module, function: Value, options: &Options) -> bool {
    let features = own_features(function);
    let target = Target::new(&features);
    let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
    let is_loose = |i: Value| i.may_rearrange() && (target.fuses(i.ty()) || !i.may_only_contract());
    if options.no_avx
        || features.contains("+avx2")
        || !host_has_fma()
        || instructions.any(is_loose)
        || passes_wide_vectors(module, function, &features)
    {
        return false;
    }
    function.set_string_attribute(module, OWN_FEATURES, &features);
    function.set_string_attribute(module, "target-features", &with_features(&features, "+avx2"));
    true
}

/// Gives a function back the features that it had before [`widen`]; says whether it had others since.
pub fn narrow(module: Module, function: Value) -> bool {
    let own = function.string_attribute(OWN_FEATURES);
    if let Some(own) = &own {
        function.set_string_attribute(module, "target-features", own);
    }
    own.is_some()
}

fn with_features(features: &str, more: &str) -> String {
    if features.is_empty() { more.to_owned() } else { format!("{features},{more}") }
}

/// Returns the operations that `finish` wants once all else is emitted.
pub fn lower(module: Module, function: Value, options: &Options) -> Vec<Value> {
    let features = own_features(function);
    let target = Target::new(&features);
    let is_called = |i: Value, name: &str| {
        i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name().starts_with(name)
    };
    share_reciprocals(module, function);
    let instructions = || function.blocks().into_iter().flat_map(|b| b.instructions());
    for i in instructions() {
        // Without FMA a fused operation that may be reassociated is a product and a sum too.
        let loose = is_called(i, "llvm.fma.") && i.may_reassociate();
        if i.opcode() == Opcode::LLVMFPExt {
            drop_round_trip(i);
        } else if !target.fuses(i.ty()) && (loose || is_called(i, "llvm.fmuladd.")) {
            lower_fmuladd(module, i);
        } else if !target.fuses(i.ty()) && is_called(i, CONSTRAINED_FMULADD) {
            lower_constrained_fmuladd(module, i);
        }
    }
    let unfused: Vec<Value> = instructions().filter(|i| !target.fuses(i.ty())).collect();
    let mut later: Vec<Value> = unfused.into_iter().filter(|&i| forbid_fusing(module, i)).collect();
    take_lanes_first(module, function, target);
    keep_chains_together(function);
    if !options.no_avx && host_has_fma() && !passes_wide_vectors(module, function, &features) {
        later.extend(instructions().filter(|&i| !target.sse41 && is_called(i, "llvm.round.")));
        raise(module, function, &features);
    }
    later
}

/// Puts a fence behind each operation, for all its users: those of the program and its shadows
/// then share one register. Calls of `llvm.round` go to the library.
pub fn finish(module: Module, operations: &[Value]) {
    let b = module.builder();
    for &i in operations {
        b.before(i.next().expect("arithmetic ends no block"));
        if i.is(Opcode::LLVMCall) {
            call_library_round(module, &b, i);
            continue;
        }
        let fenced = fence(&b, i);
        i.users().into_iter().filter(|&user| user != fenced).for_each(|user| user.replace_operand(i, fenced));
    }
}

/// With SSE 4.1 the code generator adds almost one half and truncates, which is right in one rounding mode only; a target
/// without it calls the library, which is right in all.
fn call_library_round(module: Module, b: &Builder, rounded: Value) {
    let element = rounded.ty().element_or_self();
    let name = match element.kind() {
        Kind::Float => "roundf",
        Kind::Double => "round",
        _ => return,
    };
    let ty = b.types.function(element, &[element]);
    let library = module.declare(name, ty);
    let round = |lane: Value| {
        let call = b.call(library, ty, &[lane]);
        call.add_call_attribute(module, c"nobuiltin");
        call
    };
    let x = rounded.operand(0);
    let lanes = if let Kind::Vector(lanes) = x.ty().kind() { lanes } else { 0 };
    let index = |n: u32| b.types.i32().const_int(u64::from(n));
    let made = match lanes {
        0 => round(x),
        _ => (0..lanes).fold(x, |v, n| b.insert_element(v, round(b.extract_element(x, index(n))), index(n))),
    };
    rounded.replace_uses_with(made);
    rounded.erase();
}

/// Where instructions of a function are in a clone of it.
pub fn in_clone(instructions: &[Value], function: Value, clone: Value) -> Vec<Value> {
    if instructions.is_empty() {
        return Vec::new();
    }
    let all = |f: Value| f.blocks().into_iter().flat_map(|b| b.instructions());
    let wanted: HashSet<Value> = instructions.iter().copied().collect();
    all(function).zip(all(clone)).filter(|(i, _)| wanted.contains(i)).map(|(_, copy)| copy).collect()
}

/// Under fast-math the code generator keeps a value that was narrowed and widened again in one
/// block as it was; shadow code may split the block in between.
fn drop_round_trip(widened: Value) {
    let narrowed = widened.operand(0);
    if narrowed.is(Opcode::LLVMFPTrunc)
        && narrowed.may_skip_rounding()
        && widened.may_skip_rounding()
        && narrowed.block() == widened.block()
        && narrowed.operand(0).ty() == widened.ty()
    {
        widened.replace_uses_with(narrowed.operand(0));
        widened.erase();
    }
}

#[derive(Clone, Copy)]
struct Target {
    fma: bool,
    fp16: bool,
    sse41: bool,
}

impl Target {
    fn new(features: &str) -> Target {
        let has = |name: &str| features.split(',').any(|f| f.strip_prefix('+') == Some(name));
        Target {
            fma: has("fma") || has("fma4") || has("avx512f"),
            fp16: has("avx512fp16"),
            sse41: has("sse4.1") || has("avx"),
        }
    }

    /// Whether the code generator prefers one fused operation for this type.
    fn fuses(self, ty: Type) -> bool {
        let element = if let Kind::Vector(_) = ty.kind() { ty.element() } else { ty };
        match element.kind() {
            Kind::Float | Kind::Double => self.fma,
            Kind::Half => self.fp16,
            _ => false,
        }
    }
}

fn fence(b: &Builder, value: Value) -> Value {
    b.intrinsic("llvm.arithmetic.fence", &[value.ty()], &[value])
}

/// Divisions by one divisor in a block become products with its reciprocal, where the flags allow
/// it, and the code generator finds them only while they stand in one block.
fn share_reciprocals(module: Module, function: Value) {
    for block in function.blocks() {
        let divisions: Vec<Value> = block
            .instructions()
            .into_iter()
            .filter(|i| i.opcode() == Opcode::LLVMFDiv && i.may_take_reciprocal() && !i.operand(1).is_constant())
            .collect();
        let mut done = Vec::new();
        for &first in &divisions {
            let divisor = first.operand(1);
            let group: Vec<Value> = divisions.iter().copied().filter(|d| d.operand(1) == divisor).collect();
            if done.contains(&divisor) || group.len() < 2 {
                continue;
            }
            done.push(divisor);
            let b = module.builder();
            b.before(first);
            let reciprocal = b.fdiv(b.real(first.ty(), 1.0), divisor);
            reciprocal.copy_fast_math_flags(first);
            for division in group.into_iter().filter(|d| d.operand(0).as_const_real() != Some(1.0)) {
                b.before(division);
                let product = b.fmul(division.operand(0), reciprocal);
                product.copy_fast_math_flags(division);
                division.replace_uses_with(product);
            }
        }
    }
}

/// Under `-ffp-contract=fast` the code generator fuses products (also those it makes of divisions)
/// with sums, either way round, whether the operations have the flag or not. A fence between them
/// keeps them apart; it costs no instruction.
///
/// Says whether one is still to come, for all users at once: that of an operation which nothing
/// else may rearrange.
fn forbid_fusing(module: Module, i: Value) -> bool {
    use Opcode::{LLVMFAdd, LLVMFDiv, LLVMFMul, LLVMFNeg, LLVMFSub};
    let fuses_with: &[Opcode] = match i.opcode() {
        LLVMFMul | LLVMFDiv => &[LLVMFAdd, LLVMFSub, LLVMFNeg],
        LLVMFAdd | LLVMFSub => &[LLVMFMul],
        _ => return false,
    };
    let fuses = |u: &Value| fuses_with.contains(&u.opcode()) || moves_lanes(*u);
    let users: Vec<Value> = i.users().into_iter().filter(fuses).collect();
    let later = i.may_only_contract();
    if i.may_rearrange() && !later {
        let b = module.builder();
        for &user in &users {
            b.before(user);
            user.replace_operand(i, fence(&b, i));
        }
    }
    i.forbid_contract();
    later && !users.is_empty()
}

/// Of arithmetic on a vector some of whose lanes are all that is used, as in loops with a stride, the code generator takes
/// the lanes of the operands first, and then fuses; not if it finds other uses of the operands, such as shadows. So it is
/// done here.
fn take_lanes_first(module: Module, function: Value, target: Target) {
    use Opcode::{LLVMFAdd, LLVMFMul, LLVMFNeg, LLVMFSub, LLVMShuffleVector};
    let b = module.builder();
    let lanes = |v: Value| if let Kind::Vector(lanes) = v.ty().kind() { lanes as usize } else { 1 };
    for block in function.blocks() {
        // Later ones first: an operand's own lanes are taken next.
        let mut shuffles: Vec<Value> =
            block.instructions().into_iter().filter(|i| i.opcode() == LLVMShuffleVector).collect();
        while let Some(shuffle) = shuffles.pop() {
            let (z, mask) = (shuffle.operand(0), shuffle.shuffle_mask());
            let is_narrower = mask.len() < lanes(z) && mask.iter().all(|&lane| lane < lanes(z) as i32);
            let is_arithmetic = z.is_instruction() && matches!(z.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFNeg);
            let is_only_use = || z.users().len() == 1 && z.block() == shuffle.block() && !has_twin(z);
            if !is_narrower || !is_arithmetic || !z.may_rearrange() || !target.fuses(z.ty()) || !is_only_use() {
                continue;
            }
            b.before(shuffle);
            let taken: Vec<Value> = z.operands().into_iter().map(|x| b.shuffle(x, x.ty().zero(), &mask)).collect();
            let made = match z.opcode() {
                LLVMFAdd => b.fadd(taken[0], taken[1]),
                LLVMFSub => b.fsub(taken[0], taken[1]),
                LLVMFMul => b.fmul(taken[0], taken[1]),
                _ => b.fneg(taken[0]),
            };
            made.copy_fast_math_flags(z);
            shuffle.replace_uses_with(made);
            shuffle.erase();
            z.erase();
            shuffles.extend(taken.into_iter().filter(|t| t.is_instruction()));
        }
    }
}

/// Whether the block computes the same a second time: to the code generator that is one operation with the uses of both.
fn has_twin(z: Value) -> bool {
    let operands = z.operands();
    let is_same = |i: &Value| {
        let others = i.operands();
        others == operands
            || others.len() == 2 && z.opcode() != Opcode::LLVMFSub && [others[1], others[0]] == operands[..]
    };
    z.block().instructions().iter().any(|i| *i != z && i.opcode() == z.opcode() && is_same(i))
}

/// Checks split blocks, and the code generator fuses and reassociates within a block only. So each
/// link of a fast-math chain moves to the first operation that uses it.
fn keep_chains_together(function: Value) {
    for instructions in function.blocks().into_iter().map(|b| b.instructions()) {
        if !instructions.iter().any(|i| i.may_rearrange()) {
            continue;
        }
        for i in instructions.into_iter().rev().filter(|&i| is_link(i)) {
            if if moves_lanes(i) { stays_inside(i) } else { is_inner(i) } {
                i.move_before(first_of(&i.users()));
            }
        }
    }
}

/// The first of some instructions of one block.
fn first_of(instructions: &[Value]) -> Value {
    let [first, others @ ..] = instructions else { unreachable!("a link has users") };
    others.iter().fold(*first, |first, &other| if other.comes_before(first) { other } else { first })
}

/// Arithmetic without effects, and what moves its lanes.
fn is_link(i: Value) -> bool {
    use Opcode::{LLVMFAdd, LLVMFDiv, LLVMFMul, LLVMFNeg, LLVMFSub};
    i.is_instruction() && (matches!(i.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg) || moves_lanes(i))
}

fn lower_fmuladd(module: Module, call: Value) {
    let b = module.builder();
    b.before(call);
    let product = b.fmul(call.operand(0), call.operand(1));
    let sum = b.fadd(product, call.operand(2));
    for made in [product, sum].into_iter().filter(|v| v.is_instruction()) {
        made.copy_fast_math_flags(call);
    }
    call.replace_uses_with(sum);
    call.erase();
}

/// The same where the rounding mode or exceptions matter: both operations are as constrained as the one.
fn lower_constrained_fmuladd(module: Module, call: Value) {
    let [x, y, c, rounding, exceptions] = [0, 1, 2, 3, 4].map(|n| call.operand(n));
    let b = module.builder();
    b.before(call);
    let constrained = |operation: &str, x: Value, y: Value| {
        let name = format!("llvm.experimental.constrained.{operation}");
        let made = b.intrinsic(&name, &[x.ty()], &[x, y, rounding, exceptions]);
        made.add_call_attribute(module, c"strictfp");
        made.copy_fast_math_flags(call);
        made
    };
    let sum = constrained("fadd", constrained("fmul", x, y), c);
    call.replace_uses_with(sum);
    call.erase();
}

fn host_has_fma() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// Whether a vector crosses a call in a register that AVX would widen.
fn passes_wide_vectors(module: Module, function: Value, features: &str) -> bool {
    if features.contains("+avx") {
        return false;
    }
    let is_wide = |ty: Type| matches!(ty.kind(), Kind::Vector(_)) && module.store_bytes(ty) > 16;
    let crosses = |ty: Type| is_wide(ty.result()) || ty.parameters().into_iter().any(is_wide);
    crosses(function.function_type())
        || function.blocks().into_iter().flat_map(|b| b.instructions()).any(|i| {
            matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && !(i.callee().is_function() && i.callee().name().starts_with("llvm."))
                && (crosses(i.callee_type()) || i.arguments().into_iter().any(|a| is_wide(a.ty())))
        })
}

fn raise(module: Module, function: Value, features: &str) {
    function.set_string_attribute(module, "target-features", &with_features(features, "+avx2,+fma"));
}

/// Whether an operation under fast-math flags only feeds others of its block, directly or as a lane of vectors, so that
/// the code generator may make them one. Of a vector whose other lanes nobody needs it makes a scalar first.
///
/// What several operations use directly is fused with none of them; the square of a vector counts as one.
pub fn is_inner(z: Value) -> bool {
    let users = z.users();
    let is_one = users.iter().all(|&user| user == users[0]);
    z.may_rearrange() && (is_one || users.iter().any(|&user| moves_lanes(user))) && stays_inside(z)
}

/// Whether all that uses a value is arithmetic of its block, or moves its lanes there.
pub fn stays_inside(z: Value) -> bool {
    let users = z.users();
    let is_inside = |&user: &Value| user.block() == z.block() && (takes_part(user) || moves_lanes(user));
    !users.is_empty() && users.iter().all(is_inside)
}

/// Whether an instruction moves lanes only to operations of its block that may be rearranged.
pub fn feeds_chain(i: Value) -> bool {
    let reaches = |&user: &Value| user.may_rearrange() || moves_lanes(user) && feeds_chain(user);
    moves_lanes(i) && stays_inside(i) && i.users().iter().any(reaches)
}

/// Whether the code generator may fuse this operation with its operands.
fn takes_part(user: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFNeg => true,
        Opcode::LLVMCall => {
            user.callee().is_function()
                && ["llvm.fma.", "llvm.fmuladd."].iter().any(|n| user.callee().name().starts_with(n))
        }
        _ => false,
    }
}

/// Whether an instruction only takes lanes out of vectors, puts them in or rearranges them.
fn moves_lanes(i: Value) -> bool {
    LANE_MOVES.contains(&i.opcode())
}

const LANE_MOVES: [Opcode; 3] = [Opcode::LLVMExtractElement, Opcode::LLVMInsertElement, Opcode::LLVMShuffleVector];
