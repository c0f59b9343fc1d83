//! Values.

use super::{Block, IntPredicate, Kind, Opcode, RealPredicate, Type, copy_text};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMTailCallKind, LLVMValueKind, core};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(pub(super) LLVMValueRef);

impl Value {
    pub(super) fn new(value: LLVMValueRef) -> Value {
        debug_assert!(!value.is_null());
        Value(value)
    }

    pub(super) fn from_nullable(value: LLVMValueRef) -> Option<Value> {
        (!value.is_null()).then_some(Value(value))
    }

    pub fn ty(self) -> Type {
        // SAFETY: a value handle.
        Type::new(unsafe { core::LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: LLVM returns a pointer to `len` bytes that the value owns.
        unsafe {
            let ptr = core::LLVMGetValueName2(self.0, &mut len);
            copy_text(ptr, len)
        }
    }

    pub(super) fn kind(self) -> LLVMValueKind {
        // SAFETY: a value handle.
        unsafe { core::LLVMGetValueKind(self.0) }
    }

    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    pub fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    pub fn is_inline_asm(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInlineAsmValueKind
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: a value handle.
        unsafe { core::LLVMIsConstant(self.0) != 0 }
    }

    /// The value of a constant integer of at most 64 bits.
    pub fn as_const_int(self) -> Option<u64> {
        // SAFETY: asked of constant integers only.
        unsafe {
            (self.kind() == LLVMValueKind::LLVMConstantIntValueKind
                && matches!(self.ty().kind(), Kind::Integer(bits) if bits <= 64))
            .then(|| core::LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// The value of a constant float, rounded to double; for a vector, of a splat.
    pub fn as_const_real(self) -> Option<f64> {
        if self.kind() == LLVMValueKind::LLVMConstantDataVectorValueKind {
            let Kind::Vector(lanes) = self.ty().kind() else { return None };
            // SAFETY: a constant data vector has `lanes` elements.
            let lane = |i| unsafe { Value::new(core::LLVMGetAggregateElement(self.0, i)) }.as_const_real();
            let first = lane(0)?;
            return (1..lanes).all(|i| lane(i) == Some(first)).then_some(first);
        }
        let mut lossy = 0;
        // SAFETY: asked of constant floats only.
        (self.kind() == LLVMValueKind::LLVMConstantFPValueKind)
            .then(|| unsafe { core::LLVMConstRealGetDouble(self.0, &mut lossy) })
    }

    /// The opcode of an instruction.
    pub fn opcode(self) -> Opcode {
        // SAFETY: called for instructions only.
        unsafe { core::LLVMGetInstructionOpcode(self.0) }
    }

    pub fn is(self, opcode: Opcode) -> bool {
        self.is_instruction() && self.opcode() == opcode
    }

    pub fn operand(self, index: u32) -> Value {
        // SAFETY: callers stay below `operand_count`.
        Value::new(unsafe { core::LLVMGetOperand(self.0, index) })
    }

    pub fn operand_count(self) -> u32 {
        // SAFETY: called for users (instructions, constants, functions).
        unsafe { core::LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count()).map(|i| self.operand(i)).collect()
    }

    pub fn set_operand(self, index: u32, value: Value) {
        // SAFETY: an instruction with more than `index` operands.
        unsafe { core::LLVMSetOperand(self.0, index, value.0) }
    }

    /// Sets each operand that is `old` to `new`.
    pub fn replace_operand(self, old: Value, new: Value) {
        (0..self.operand_count()).filter(|&n| self.operand(n) == old).for_each(|n| self.set_operand(n, new));
    }

    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        // SAFETY: walks the value's list of uses.
        unsafe {
            let mut at = core::LLVMGetFirstUse(self.0);
            while !at.is_null() {
                users.push(Value::new(core::LLVMGetUser(at)));
                at = core::LLVMGetNextUse(at);
            }
        }
        users
    }

    pub fn replace_uses_with(self, other: Value) {
        // SAFETY: both have one type.
        unsafe { core::LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    /// Of a pointer: what it is a constant number of bytes away from, and how many.
    pub fn base_and_offset(self) -> (Value, i64) {
        let mut offset = 0;
        // SAFETY: a pointer value; `offset` is writable.
        let base = unsafe { super::nonius_base_and_offset(self.0, &mut offset) };
        (Value::new(base), offset)
    }

    /// What the compiler itself makes of an instruction with these constants for operands.
    pub fn folded(self, constants: &[Value]) -> Option<Value> {
        let mut operands: Vec<LLVMValueRef> = constants.iter().map(|c| c.0).collect();
        // SAFETY: an instruction, and as many constants as it has operands, or arguments if it is a call.
        Value::from_nullable(unsafe { super::nonius_fold(self.0, operands.as_mut_ptr(), operands.len() as u32) })
    }

    /// Whether two instructions do the same, whatever their operands are.
    pub fn is_same_operation(self, other: Value) -> bool {
        // SAFETY: two instructions.
        unsafe { super::nonius_is_same_operation(self.0, other.0) }
    }

    /// Whether an instruction stands before another of its block.
    pub fn comes_before(self, other: Value) -> bool {
        // SAFETY: two instructions of one block.
        unsafe { super::nonius_comes_before(self.0, other.0) }
    }

    /// Moves an instruction, which keeps its debug location.
    pub fn move_before(self, other: Value) {
        // SAFETY: two instructions of one function.
        unsafe { super::nonius_move_before(self.0, other.0) }
    }

    /// Removes the instruction. The handle is dead after this.
    pub fn erase(self) {
        // SAFETY: an instruction without uses; callers drop the handle.
        unsafe { core::LLVMInstructionEraseFromParent(self.0) }
    }

    pub fn next(self) -> Option<Value> {
        // SAFETY: called for instructions only.
        Value::from_nullable(unsafe { core::LLVMGetNextInstruction(self.0) })
    }

    pub fn previous(self) -> Option<Value> {
        // SAFETY: called for instructions only.
        Value::from_nullable(unsafe { core::LLVMGetPreviousInstruction(self.0) })
    }

    /// Of a load, store, or atomic operation.
    pub fn is_volatile(self) -> bool {
        // SAFETY: called for memory accesses only.
        unsafe { core::LLVMGetVolatile(self.0) != 0 }
    }

    pub fn is_atomic(self) -> bool {
        // SAFETY: called for memory accesses only.
        unsafe { core::LLVMIsAtomic(self.0) != 0 }
    }

    /// Whether a store, exchange or fence lets other threads see what came before it.
    pub fn is_release(self) -> bool {
        use llvm_sys::LLVMAtomicOrdering::*;
        // SAFETY: called for memory accesses and fences only.
        let ordering = unsafe {
            match self.opcode() {
                Opcode::LLVMAtomicCmpXchg => core::LLVMGetCmpXchgSuccessOrdering(self.0),
                _ => core::LLVMGetOrdering(self.0),
            }
        };
        matches!(
            ordering,
            LLVMAtomicOrderingRelease | LLVMAtomicOrderingAcquireRelease | LLVMAtomicOrderingSequentiallyConsistent
        )
    }

    /// Whether no bit is set in both operands of an `or`.
    pub fn is_disjoint(self) -> bool {
        // SAFETY: called for `or` only.
        unsafe { core::LLVMGetIsDisjoint(self.0) != 0 }
    }

    /// What the indices of an address computation count.
    pub fn indexed_type(self) -> Type {
        // SAFETY: called for getelementptr only.
        Type::new(unsafe { core::LLVMGetGEPSourceElementType(self.0) })
    }

    /// The block of an instruction.
    pub fn block(self) -> Block {
        // SAFETY: called for instructions only.
        Block(unsafe { core::LLVMGetInstructionParent(self.0) })
    }

    /// Splits before this instruction; the new, unlikely block runs when `condition` holds.
    /// Returns the new block's terminator.
    pub fn split_if(self, condition: Value) -> Value {
        // SAFETY: an instruction, and an i1 that dominates it.
        Value::new(unsafe { super::nonius_split_if(condition.0, self.0) })
    }

    /// Splits before this instruction into two blocks that lead back to it, the second unlikely;
    /// returns their terminators.
    pub fn split_if_else(self, condition: Value) -> [Value; 2] {
        let [mut then, mut otherwise] = [std::ptr::null_mut(); 2];
        // SAFETY: an instruction, an i1 that dominates it, and room for both results.
        unsafe { super::nonius_split_if_else(condition.0, self.0, &mut then, &mut otherwise) };
        [Value::new(then), Value::new(otherwise)]
    }

    /// Splits before this instruction and puts a loop of `count` turns there, at least one. Returns the instruction before
    /// which its body goes, and the turn, from 0.
    pub fn split_loop(self, count: Value) -> (Value, Value) {
        let mut index = std::ptr::null_mut();
        // SAFETY: an instruction, an integer that dominates it, and room for the second result.
        let body = unsafe { super::nonius_split_loop(count.0, self.0, &mut index) };
        (Value::new(body), Value::new(index))
    }

    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: called for fcmp only.
        unsafe { core::LLVMGetFCmpPredicate(self.0) }
    }

    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: called for icmp only.
        unsafe { core::LLVMGetICmpPredicate(self.0) }
    }

    pub fn phi_incoming(self) -> Vec<(Value, Block)> {
        // SAFETY: called for phis only.
        unsafe {
            (0..core::LLVMCountIncoming(self.0))
                .map(|i| {
                    (Value::new(core::LLVMGetIncomingValue(self.0, i)), Block(core::LLVMGetIncomingBlock(self.0, i)))
                })
                .collect()
        }
    }

    pub fn add_incoming(self, value: Value, block: Block) {
        // SAFETY: a phi, and a value of its type.
        unsafe { core::LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1) }
    }

    /// The callee of a call or invoke.
    pub fn callee(self) -> Value {
        // SAFETY: called for calls only.
        Value::new(unsafe { core::LLVMGetCalledValue(self.0) })
    }

    pub fn callee_type(self) -> Type {
        // SAFETY: called for calls only.
        Type::new(unsafe { core::LLVMGetCalledFunctionType(self.0) })
    }

    pub fn set_callee(self, function: Value) {
        // The callee is a call's last operand.
        self.set_operand(self.operand_count() - 1, function);
    }

    /// The arguments of a call or invoke.
    pub fn arguments(self) -> Vec<Value> {
        // SAFETY: called for calls only.
        let count = unsafe { core::LLVMGetNumArgOperands(self.0) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    pub fn is_musttail(self) -> bool {
        // SAFETY: asked of call instructions only.
        self.is(Opcode::LLVMCall)
            && unsafe { core::LLVMGetTailCallKind(self.0) } == LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// A call can no longer be a tail call once code follows that needs the frame.
    pub fn set_not_tail(self) {
        if self.is(Opcode::LLVMCall) {
            // SAFETY: a call instruction.
            unsafe { core::LLVMSetTailCallKind(self.0, LLVMTailCallKind::LLVMTailCallKindNone) }
        }
    }

    /// Where an invoke goes when it returns.
    pub fn normal_dest(self) -> Block {
        // SAFETY: called for invokes only.
        Block(unsafe { core::LLVMGetNormalDest(self.0) })
    }

    pub fn alignment(self) -> u32 {
        // SAFETY: called for loads, stores and allocas only.
        unsafe { core::LLVMGetAlignment(self.0) }
    }

    pub fn allocated_type(self) -> Type {
        // SAFETY: called for allocas only.
        Type::new(unsafe { core::LLVMGetAllocatedType(self.0) })
    }

    /// What an atomicrmw does, if it can be done to a float.
    pub fn rmw_operation(self) -> Option<&'static str> {
        use LLVMAtomicRMWBinOp::*;
        // SAFETY: called for atomicrmw only.
        match unsafe { core::LLVMGetAtomicRMWBinOp(self.0) } {
            LLVMAtomicRMWBinOpFAdd => Some("fadd"),
            LLVMAtomicRMWBinOpFSub => Some("fsub"),
            LLVMAtomicRMWBinOpFMax => Some("fmax"),
            LLVMAtomicRMWBinOpFMin => Some("fmin"),
            LLVMAtomicRMWBinOpXchg => Some("xchg"),
            _ => None,
        }
    }

    /// The indices of an insertvalue or extractvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: called for these two only; LLVM owns the array.
        unsafe {
            let count = core::LLVMGetNumIndices(self.0);
            std::slice::from_raw_parts(core::LLVMGetIndices(self.0), count as usize).to_vec()
        }
    }

    /// The mask of a shufflevector; -1 is poison.
    pub fn shuffle_mask(self) -> Vec<i32> {
        // SAFETY: called for shufflevector only.
        unsafe { (0..core::LLVMGetNumMaskElements(self.0)).map(|i| core::LLVMGetMaskValue(self.0, i)).collect() }
    }

    fn fast_math_flags(self) -> u32 {
        // SAFETY: asked only of instructions that can carry the flags.
        unsafe {
            if self.is_instruction() && core::LLVMCanValueUseFastMathFlags(self.0) != 0 {
                core::LLVMGetFastMathFlags(self.0)
            } else {
                0
            }
        }
    }

    /// Whether an instruction's fast-math flags let the code generator rearrange it.
    pub fn may_rearrange(self) -> bool {
        self.fast_math_flags() & (llvm_sys::LLVMFastMathAllowContract | llvm_sys::LLVMFastMathAllowReassoc) != 0
    }

    /// Whether leave to contract is all that the flags give.
    pub fn may_only_contract(self) -> bool {
        self.fast_math_flags() == llvm_sys::LLVMFastMathAllowContract
    }

    /// Whether it may be contracted and meets no infinities or NaNs: then a value that is narrowed
    /// and widened again stays as it was.
    pub fn may_skip_rounding(self) -> bool {
        use llvm_sys::{LLVMFastMathAllowContract, LLVMFastMathNoInfs, LLVMFastMathNoNaNs};
        let needed = LLVMFastMathAllowContract | LLVMFastMathNoInfs | LLVMFastMathNoNaNs;
        self.fast_math_flags() & needed == needed
    }

    pub fn may_take_reciprocal(self) -> bool {
        self.fast_math_flags() & llvm_sys::LLVMFastMathAllowReciprocal != 0
    }

    /// Whether the value may differ from what the operation itself gives.
    pub fn has_fast_math(self) -> bool {
        self.fast_math_flags() != 0
    }

    pub fn may_reassociate(self) -> bool {
        self.fast_math_flags() & llvm_sys::LLVMFastMathAllowReassoc != 0
    }

    pub fn forbid_contract(self) {
        // SAFETY: an instruction; the shim leaves those that carry no flags alone.
        unsafe { super::nonius_forbid_contract(self.0) }
    }

    pub fn copy_fast_math_flags(self, from: Value) {
        // SAFETY: only instructions that can carry the flags are read and changed.
        unsafe {
            if core::LLVMCanValueUseFastMathFlags(self.0) != 0 && core::LLVMCanValueUseFastMathFlags(from.0) != 0 {
                core::LLVMSetFastMathFlags(self.0, core::LLVMGetFastMathFlags(from.0));
            }
        }
    }

    /// Metadata of the TBAA access type: the name of the scalar that the program says it moves.
    pub fn tbaa_access(self) -> Option<String> {
        // SAFETY: metadata nodes are walked with their own operand counts.
        unsafe {
            let context = core::LLVMGetTypeContext(self.ty().0);
            let kind = core::LLVMGetMDKindIDInContext(context, c"tbaa".as_ptr(), 4);
            let tag = Value::from_nullable(core::LLVMGetMetadata(self.0, kind))?;
            let access = *tag.node_operands().get(1)?;
            let name = *access?.node_operands().first()?;
            let mut len = 0;
            let text = core::LLVMGetMDString(name?.0, &mut len);
            (!text.is_null()).then(|| copy_text(text, len as usize))
        }
    }

    /// The text of a metadata string that is an argument.
    pub fn as_metadata_text(self) -> Option<String> {
        let mut len = 0;
        // SAFETY: LLVM returns null for what is no metadata string.
        unsafe {
            if self.kind() != LLVMValueKind::LLVMMetadataAsValueValueKind {
                return None;
            }
            let text = core::LLVMGetMDString(self.0, &mut len);
            (!text.is_null()).then(|| copy_text(text, len as usize))
        }
    }

    /// SAFETY of the callers: `self` is a metadata node as a value.
    unsafe fn node_operands(self) -> Vec<Option<Value>> {
        // SAFETY: by the contract above; the buffer has the count LLVM says.
        unsafe {
            let count = core::LLVMGetMDNodeNumOperands(self.0) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            core::LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands.into_iter().map(Value::from_nullable).collect()
        }
    }
}
