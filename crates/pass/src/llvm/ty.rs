//! Types.

use super::Value;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMTypeKind, core};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type(pub(super) LLVMTypeRef);

/// The shape of a type, as far as the pass cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Half,
    Bfloat,
    Float,
    Double,
    X87,
    Quad,
    Integer(u32),
    Pointer,
    Struct(u32),
    Array(u64),
    Vector(u32),
    Void,
    /// A vector whose lanes only the machine knows.
    Scalable,
    Other,
}

impl Type {
    pub(super) fn new(ty: LLVMTypeRef) -> Type {
        debug_assert!(!ty.is_null());
        Type(ty)
    }

    pub fn kind(self) -> Kind {
        use LLVMTypeKind::*;
        // SAFETY: a type handle; each count is asked only of its own kind.
        unsafe {
            match core::LLVMGetTypeKind(self.0) {
                LLVMHalfTypeKind => Kind::Half,
                LLVMBFloatTypeKind => Kind::Bfloat,
                LLVMFloatTypeKind => Kind::Float,
                LLVMDoubleTypeKind => Kind::Double,
                LLVMX86_FP80TypeKind => Kind::X87,
                LLVMFP128TypeKind => Kind::Quad,
                LLVMIntegerTypeKind => Kind::Integer(core::LLVMGetIntTypeWidth(self.0)),
                LLVMPointerTypeKind => Kind::Pointer,
                LLVMStructTypeKind => Kind::Struct(core::LLVMCountStructElementTypes(self.0)),
                LLVMArrayTypeKind => Kind::Array(core::LLVMGetArrayLength2(self.0)),
                LLVMVectorTypeKind => Kind::Vector(core::LLVMGetVectorSize(self.0)),
                LLVMVoidTypeKind => Kind::Void,
                LLVMScalableVectorTypeKind => Kind::Scalable,
                _ => Kind::Other,
            }
        }
    }

    /// Whether a pointer, or a vector of them, points to ordinary memory.
    pub fn is_ordinary_pointer(self) -> bool {
        let pointer = self.element_or_self();
        // SAFETY: asked of pointer types only.
        pointer.kind() == Kind::Pointer && unsafe { core::LLVMGetPointerAddressSpace(pointer.0) } == 0
    }

    /// Of a vector or array.
    pub fn element(self) -> Type {
        // SAFETY: called for vectors and arrays only.
        Type::new(unsafe { core::LLVMGetElementType(self.0) })
    }

    /// Of a vector, its element; of any other type, itself.
    pub fn element_or_self(self) -> Type {
        if let Kind::Vector(_) = self.kind() { self.element() } else { self }
    }

    /// Of a struct.
    pub fn field(self, index: u32) -> Type {
        // SAFETY: called for structs with more than `index` fields.
        Type::new(unsafe { core::LLVMStructGetTypeAtIndex(self.0, index) })
    }

    pub fn vector(self, lanes: u32) -> Type {
        // SAFETY: an element type and at least one lane.
        Type::new(unsafe { core::LLVMVectorType(self.0, lanes) })
    }

    pub fn array(self, count: u64) -> Type {
        // SAFETY: a sized element type.
        Type::new(unsafe { core::LLVMArrayType2(self.0, count) })
    }

    pub fn zero(self) -> Value {
        // SAFETY: any first-class type has a null value.
        Value::new(unsafe { core::LLVMConstNull(self.0) })
    }

    pub fn all_ones(self) -> Value {
        // SAFETY: called for integers and vectors of them only.
        Value::new(unsafe { core::LLVMConstAllOnes(self.0) })
    }

    pub fn const_int(self, value: u64) -> Value {
        // SAFETY: called for integer types only.
        Value::new(unsafe { core::LLVMConstInt(self.0, value, 0) })
    }

    pub fn const_real(self, value: f64) -> Value {
        // SAFETY: called for floating-point types only.
        Value::new(unsafe { core::LLVMConstReal(self.0, value) })
    }

    /// Of a function type.
    pub fn parameters(self) -> Vec<Type> {
        // SAFETY: called for function types; the buffer has the count LLVM says.
        unsafe {
            let count = core::LLVMCountParamTypes(self.0);
            let mut types = vec![std::ptr::null_mut(); count as usize];
            core::LLVMGetParamTypes(self.0, types.as_mut_ptr());
            types.into_iter().map(Type::new).collect()
        }
    }

    /// Of a function type.
    pub fn result(self) -> Type {
        // SAFETY: called for function types only.
        Type::new(unsafe { core::LLVMGetReturnType(self.0) })
    }

    /// Of a function type.
    pub fn is_variadic(self) -> bool {
        // SAFETY: called for function types only.
        unsafe { core::LLVMIsFunctionVarArg(self.0) != 0 }
    }
}
