//! The instruction builder. What it builds carries no fast-math flags.

use super::{Block, IntPredicate, Kind, Module, RealPredicate, Type, Types, Value};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, core};

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

#[derive(Debug)]
pub struct Builder {
    raw: LLVMBuilderRef,
    pub module: Module,
    pub types: Types,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: made in `new`, disposed once.
        unsafe { core::LLVMDisposeBuilder(self.raw) }
    }
}

macro_rules! binary {
    ($($name:ident = $function:ident;)*) => {
        impl Builder {
            $(pub fn $name(&self, a: Value, b: Value) -> Value {
                // SAFETY: the builder has a position; both operands have one fitting type.
                Value::new(unsafe { core::$function(self.raw, a.0, b.0, NO_NAME) })
            })*
        }
    };
}
binary! {
    fadd = LLVMBuildFAdd;
    fsub = LLVMBuildFSub;
    fmul = LLVMBuildFMul;
    fdiv = LLVMBuildFDiv;
    and = LLVMBuildAnd;
    or = LLVMBuildOr;
    xor = LLVMBuildXor;
    add = LLVMBuildAdd;
    mul = LLVMBuildMul;
    shl = LLVMBuildShl;
    lshr = LLVMBuildLShr;
}

macro_rules! casts {
    ($($name:ident = $function:ident;)*) => {
        impl Builder {
            $(pub fn $name(&self, a: Value, ty: Type) -> Value {
                // SAFETY: the builder has a position; the cast fits both types.
                Value::new(unsafe { core::$function(self.raw, a.0, ty.0, NO_NAME) })
            })*
        }
    };
}
casts! {
    fpext = LLVMBuildFPExt;
    fptrunc = LLVMBuildFPTrunc;
    bitcast = LLVMBuildBitCast;
    zext = LLVMBuildZExt;
    trunc = LLVMBuildTrunc;
    sext = LLVMBuildSExt;
    ptr_to_int = LLVMBuildPtrToInt;
    uitofp = LLVMBuildUIToFP;
    sitofp = LLVMBuildSIToFP;
}

impl Builder {
    pub(super) fn new(module: Module) -> Builder {
        // SAFETY: the module's context is alive.
        let raw = unsafe { core::LLVMCreateBuilderInContext(module.context()) };
        Builder { raw, module, types: module.types() }
    }

    /// New instructions go before this one and take its debug location.
    pub fn before(&self, instruction: Value) {
        // SAFETY: an instruction in a block.
        unsafe {
            core::LLVMPositionBuilderBefore(self.raw, instruction.0);
            let loc = llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction.0);
            core::LLVMSetCurrentDebugLocation2(self.raw, loc);
        }
    }

    /// Like `before`, with another instruction's debug location.
    pub fn before_with_loc_of(&self, instruction: Value, owner: Value) {
        self.before(instruction);
        // SAFETY: `owner` is an instruction.
        unsafe {
            let loc = llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(owner.0);
            core::LLVMSetCurrentDebugLocation2(self.raw, loc);
        }
    }

    pub fn at_end(&self, block: Block) {
        // SAFETY: a block without terminator.
        unsafe {
            core::LLVMPositionBuilderAtEnd(self.raw, block.0);
            core::LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut());
        }
    }

    pub fn ret_void(&self) {
        // SAFETY: the builder has a position.
        unsafe { core::LLVMBuildRetVoid(self.raw) };
    }

    pub fn ret(&self, value: Value) {
        // SAFETY: the builder has a position; the value has the function's type.
        unsafe { core::LLVMBuildRet(self.raw, value.0) };
    }

    /// Calls a function of the same type with all arguments of the one that the builder stands in; in
    /// place of its frame, if it must.
    pub fn hand_on(&self, function: Value, must: bool) -> Value {
        // SAFETY: both functions have one type.
        Value::new(unsafe { super::nonius_hand_on(self.raw, function.0, must) })
    }

    /// A copy of an instruction, with its operands.
    pub fn copy(&self, instruction: Value) -> Value {
        // SAFETY: an instruction that gives no block another way, and the builder has a position.
        Value::new(unsafe { super::nonius_copy(self.raw, instruction.0) })
    }

    pub fn fneg(&self, a: Value) -> Value {
        // SAFETY: a floating-point operand.
        Value::new(unsafe { core::LLVMBuildFNeg(self.raw, a.0, NO_NAME) })
    }

    pub fn not(&self, a: Value) -> Value {
        // SAFETY: an integer operand.
        Value::new(unsafe { core::LLVMBuildNot(self.raw, a.0, NO_NAME) })
    }

    pub fn freeze(&self, a: Value) -> Value {
        // SAFETY: any first-class operand.
        Value::new(unsafe { core::LLVMBuildFreeze(self.raw, a.0, NO_NAME) })
    }

    pub fn fcmp(&self, predicate: RealPredicate, a: Value, b: Value) -> Value {
        // SAFETY: both operands have one floating-point type.
        Value::new(unsafe { core::LLVMBuildFCmp(self.raw, predicate, a.0, b.0, NO_NAME) })
    }

    pub fn icmp(&self, predicate: IntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: both operands have one integer or pointer type.
        Value::new(unsafe { core::LLVMBuildICmp(self.raw, predicate, a.0, b.0, NO_NAME) })
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        // SAFETY: an i1 (or vector of them) and two values of one type.
        Value::new(unsafe { core::LLVMBuildSelect(self.raw, condition.0, a.0, b.0, NO_NAME) })
    }

    pub fn phi(&self, ty: Type) -> Value {
        // SAFETY: the builder stands at the head of a block.
        Value::new(unsafe { core::LLVMBuildPhi(self.raw, ty.0, NO_NAME) })
    }

    pub fn load(&self, ty: Type, ptr: Value, align: u32) -> Value {
        // SAFETY: a pointer operand and a sized type.
        unsafe {
            let load = core::LLVMBuildLoad2(self.raw, ty.0, ptr.0, NO_NAME);
            core::LLVMSetAlignment(load, align);
            Value::new(load)
        }
    }

    pub fn store(&self, value: Value, ptr: Value, align: u32) {
        // SAFETY: a pointer operand.
        unsafe {
            let store = core::LLVMBuildStore(self.raw, value.0, ptr.0);
            core::LLVMSetAlignment(store, align);
        }
    }

    pub fn alloca(&self, ty: Type, align: u32) -> Value {
        // SAFETY: a sized type.
        unsafe {
            let alloca = core::LLVMBuildAlloca(self.raw, ty.0, NO_NAME);
            core::LLVMSetAlignment(alloca, align);
            Value::new(alloca)
        }
    }

    /// `ptr + bytes`.
    pub fn offset(&self, ptr: Value, bytes: i64) -> Value {
        let index = self.types.i64().const_int(bytes as u64);
        // SAFETY: a pointer operand; the index is an i64. Not inbounds: planes are other objects.
        Value::new(unsafe { core::LLVMBuildGEP2(self.raw, self.types.i8().0, ptr.0, &mut { index.0 }, 1, NO_NAME) })
    }

    /// Adds to an integer in memory that other threads may add to; nothing is ordered by it.
    pub fn atomic_add(&self, ptr: Value, value: Value) {
        let (add, order) = (LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd, LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic);
        // SAFETY: a pointer to an integer of the value's type.
        unsafe { core::LLVMBuildAtomicRMW(self.raw, add, ptr.0, value.0, order, 0) };
    }

    /// `pointers + bytes`, for a pointer or a vector of them.
    pub fn offset_like(&self, pointers: Value, bytes: i64) -> Value {
        let Kind::Vector(lanes) = pointers.ty().kind() else { return self.offset(pointers, bytes) };
        let index = Value::const_vector(&vec![self.types.i64().const_int(bytes as u64); lanes as usize]);
        // SAFETY: a vector of pointers and as many i64.
        Value::new(unsafe {
            core::LLVMBuildGEP2(self.raw, self.types.i8().0, pointers.0, &mut { index.0 }, 1, NO_NAME)
        })
    }

    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        // SAFETY: a vector operand.
        Value::new(unsafe { core::LLVMBuildExtractElement(self.raw, vector.0, index.0, NO_NAME) })
    }

    pub fn insert_element(&self, vector: Value, element: Value, index: Value) -> Value {
        // SAFETY: a vector operand and an element of its type.
        Value::new(unsafe { core::LLVMBuildInsertElement(self.raw, vector.0, element.0, index.0, NO_NAME) })
    }

    pub fn shuffle(&self, a: Value, b: Value, mask: &[i32]) -> Value {
        let i32_type = self.types.i32();
        let lanes: Vec<Value> = mask
            .iter()
            .map(|&m| {
                if m < 0 {
                    // SAFETY: poison of a first-class type.
                    Value::new(unsafe { core::LLVMGetPoison(i32_type.0) })
                } else {
                    i32_type.const_int(m as u64)
                }
            })
            .collect();
        // SAFETY: two vectors of one type and a constant mask.
        Value::new(unsafe { core::LLVMBuildShuffleVector(self.raw, a.0, b.0, Value::const_vector(&lanes).0, NO_NAME) })
    }

    pub fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        // SAFETY: an aggregate with more than `index` members.
        Value::new(unsafe { core::LLVMBuildExtractValue(self.raw, aggregate.0, index, NO_NAME) })
    }

    pub fn call(&self, function: Value, ty: Type, arguments: &[Value]) -> Value {
        let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|v| v.0).collect();
        // SAFETY: the function's type and arguments that fit it.
        Value::new(unsafe {
            core::LLVMBuildCall2(self.raw, ty.0, function.0, arguments.as_mut_ptr(), arguments.len() as u32, NO_NAME)
        })
    }

    pub fn intrinsic(&self, name: &str, overloads: &[Type], arguments: &[Value]) -> Value {
        let (function, ty) = self.module.intrinsic(name, overloads);
        self.call(function, ty, arguments)
    }

    pub fn fabs(&self, a: Value) -> Value {
        self.intrinsic("llvm.fabs", &[a.ty()], &[a])
    }

    pub fn fma(&self, a: Value, b: Value, c: Value) -> Value {
        self.intrinsic("llvm.fma", &[a.ty()], &[a, b, c])
    }

    /// The constant in every lane of `ty`, a float or a vector of floats.
    pub fn real(&self, ty: Type, value: f64) -> Value {
        match ty.kind() {
            Kind::Vector(lanes) => Value::const_vector(&vec![ty.element().const_real(value); lanes as usize]),
            _ => ty.const_real(value),
        }
    }

    /// The constant in every lane of `ty`, an integer or a vector of integers.
    pub fn integer(&self, ty: Type, value: u64) -> Value {
        match ty.kind() {
            Kind::Vector(lanes) => Value::const_vector(&vec![ty.element().const_int(value); lanes as usize]),
            _ => ty.const_int(value),
        }
    }

    /// The scalar in every lane, if `like` is a vector type.
    pub fn splat(&self, scalar: Value, like: Type) -> Value {
        let Kind::Vector(lanes) = like.kind() else { return scalar };
        let vector = scalar.ty().vector(lanes);
        let one = self.insert_element(vector.zero(), scalar, self.types.i32().const_int(0));
        self.shuffle(one, vector.zero(), &vec![0; lanes as usize])
    }

    /// Whether any lane of an i1 or vector of them is set.
    pub fn any(&self, condition: Value) -> Value {
        let Kind::Vector(lanes) = condition.ty().kind() else { return condition };
        let bits = self.bitcast(condition, self.types.int(lanes));
        self.icmp(IntPredicate::LLVMIntNE, bits, self.types.int(lanes).zero())
    }

    /// The lanes of an i1 or vector of them as bits of an i64; lanes past 64 are dropped.
    pub fn lane_mask(&self, condition: Value) -> Value {
        let bits = match condition.ty().kind() {
            Kind::Vector(lanes) => self.bitcast(condition, self.types.int(lanes)),
            _ => condition,
        };
        match bits.ty().kind() {
            Kind::Integer(64) => bits,
            Kind::Integer(n) if n > 64 => {
                // SAFETY: narrows an integer.
                Value::new(unsafe { core::LLVMBuildTrunc(self.raw, bits.0, self.types.i64().0, NO_NAME) })
            }
            _ => self.zext(bits, self.types.i64()),
        }
    }
}

/// A builder's place, to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    block: LLVMBasicBlockRef,
    before: LLVMValueRef,
    loc: LLVMMetadataRef,
}

impl Builder {
    pub fn save(&self) -> Position {
        // SAFETY: the builder has a position; the shim reads the instruction it stands before.
        unsafe {
            Position {
                block: core::LLVMGetInsertBlock(self.raw),
                before: super::nonius_builder_point(self.raw),
                loc: core::LLVMGetCurrentDebugLocation2(self.raw),
            }
        }
    }

    /// `None` if the builder stands nowhere yet.
    pub fn save_if_placed(&self) -> Option<Position> {
        // SAFETY: asks for the builder's block, null if it has none.
        (!unsafe { core::LLVMGetInsertBlock(self.raw) }.is_null()).then(|| self.save())
    }

    pub fn restore(&self, position: Position) {
        // SAFETY: the instruction is still there; its block may have been split meanwhile.
        unsafe {
            if position.before.is_null() {
                core::LLVMPositionBuilderAtEnd(self.raw, position.block);
            } else {
                core::LLVMPositionBuilderBefore(self.raw, position.before);
            }
            core::LLVMSetCurrentDebugLocation2(self.raw, position.loc);
        }
    }

    /// The instruction that new ones go before.
    pub fn point(&self) -> Value {
        // SAFETY: callers stand before an instruction.
        Value::new(unsafe { super::nonius_builder_point(self.raw) })
    }
}
