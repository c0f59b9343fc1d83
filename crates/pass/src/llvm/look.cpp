// Copies of functions that are only looked at. Each function does one thing; all decisions are in Rust.

#include "llvm-c/Core.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;

namespace {
// A copy of a function that is only looked at, and what each of its instructions is a copy of.
struct Look {
  Function *Copy;
  std::vector<std::pair<Instruction *, WeakVH>> Pairs;
};

void promoteVariables(Function &F) {
  FunctionAnalysisManager FAM;
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FAM.registerPass([] { return DominatorTreeAnalysis(); });
  FAM.registerPass([] { return AssumptionAnalysis(); });
  FAM.registerPass([] { return TargetIRAnalysis(); });
  SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
}

// Members that are put into an aggregate only to be taken from it again are those values.
void takeMembers(Function &F) {
  SmallVector<WeakTrackingVH, 16> Made;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isa<InsertValueInst>(I))
      Made.push_back(&I);
    auto *Taken = dyn_cast<ExtractValueInst>(&I);
    Value *Member = Taken ? FindInsertedValue(Taken->getAggregateOperand(), Taken->getIndices()) : nullptr;
    if (Member && Member != Taken) {
      Taken->replaceAllUsesWith(Member);
      Taken->eraseFromParent();
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Made);
}

// How many bytes behind a pointer are loaded and stored at constant places, if it is used for nothing else.
std::optional<int64_t> bytesBehind(Value *Pointer, const DataLayout &DL, int64_t Offset, bool &Stores) {
  int64_t Most = 0;
  for (User *U : Pointer->users()) {
    int64_t End = 0;
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      End = Load->isSimple() ? Offset + int64_t(DL.getTypeStoreSize(Load->getType())) : -1;
    } else if (auto *Store = dyn_cast<StoreInst>(U)) {
      bool IsPlain = Store->isSimple() && Store->getValueOperand() != Pointer;
      End = IsPlain ? Offset + int64_t(DL.getTypeStoreSize(Store->getValueOperand()->getType())) : -1;
      Stores = true;
    } else if (auto *GEP = dyn_cast<GetElementPtrInst>(U)) {
      APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
      if (!GEP->getType()->isPointerTy() || !GEP->accumulateConstantOffset(DL, Step))
        return std::nullopt;
      auto Behind = bytesBehind(GEP, DL, Offset + Step.getSExtValue(), Stores);
      if (!Behind)
        return std::nullopt;
      End = *Behind;
    } else if (auto *Memory = dyn_cast<MemIntrinsic>(U)) {
      auto *Length = dyn_cast<ConstantInt>(Memory->getLength());
      End = Length && !Memory->isVolatile() ? Offset + int64_t(Length->getZExtValue()) : -1;
      Stores |= Memory->getRawDest() == Pointer;
    } else {
      return std::nullopt;
    }
    if (Offset < 0 || End < 0)
      return std::nullopt;
    Most = std::max(Most, End);
  }
  return Most;
}

// Has a parameter's memory be a variable, filled at the entry and written back at the end.
bool copyInAndOut(Argument &A) {
  constexpr int64_t Large = 512;
  Function *F = A.getParent();
  bool Stores = false;
  auto Bytes = bytesBehind(&A, F->getDataLayout(), 0, Stores);
  if (!Bytes || *Bytes == 0 || *Bytes > Large)
    return false;
  IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
  AllocaInst *Variable = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), *Bytes));
  A.replaceAllUsesWith(Variable);
  B.CreateMemCpy(Variable, MaybeAlign(), &A, MaybeAlign(), *Bytes);
  for (BasicBlock &BB : *F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Stores)
      IRBuilder<>(Return).CreateMemCpy(&A, MaybeAlign(), Variable, MaybeAlign(), *Bytes);
  return true;
}
} // namespace

extern "C" {
// A copy to look at, without lines. It is the caller's to end.
Look *nonius_look_begin(LLVMValueRef F) {
  auto *Old = unwrap<Function>(F);
  // Lines of a copy would be cloned with the whole description of the function.
  DISubprogram *SP = Old->getSubprogram();
  Old->setSubprogram(nullptr);
  ValueToValueMapTy Map;
  Function *New = CloneFunction(Old, Map);
  Old->setSubprogram(SP);
  New->setLinkage(GlobalValue::InternalLinkage);
  New->setComdat(nullptr);
  stripDebugInfo(*New);
  auto *L = new Look{New, {}};
  for (Instruction &I : instructions(*Old))
    if (I.getType()->isFPOrFPVectorTy())
      if (Value *V = Map.lookup(&I))
        L->Pairs.emplace_back(&I, V);
  return L;
}

LLVMValueRef nonius_look_function(Look *L) { return wrap(L->Copy); }

// Inlines a call of the copy. Says whether it could.
bool nonius_inline_call(LLVMValueRef Call) {
  auto *CB = cast<CallBase>(unwrap(Call));
  if (!CB->getCalledFunction() || !isInlineViable(*CB->getCalledFunction()).isSuccess())
    return false;
  InlineFunctionInfo IFI;
  return InlineFunction(*CB, IFI).isSuccess();
}

// Has the copy's variables become values, and then what lies behind its parameters, as if no two met.
void nonius_look_promote(Look *L) {
  promoteVariables(*L->Copy);
  bool Changed = false;
  for (Argument &A : L->Copy->args())
    Changed |= A.getType()->isPointerTy() && copyInAndOut(A);
  if (Changed)
    promoteVariables(*L->Copy);
  takeMembers(*L->Copy);
}

// Tells each instruction that is left, with the one that it is a copy of.
void nonius_look_pairs(Look *L, void (*Tell)(void *, LLVMValueRef, LLVMValueRef), void *To) {
  for (auto &[Old, New] : L->Pairs)
    if (Value *V = New)
      Tell(To, wrap(Old), wrap(V));
}

void nonius_look_end(Look *L) {
  L->Copy->eraseFromParent();
  delete L;
}

// Gives an instruction a number that its copies have too; 0 takes it away.
void nonius_set_number(LLVMValueRef I, uint32_t Number) {
  auto *Inst = unwrap<Instruction>(I);
  LLVMContext &Context = Inst->getContext();
  auto *Value = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Number));
  Inst->setMetadata("nonius.number", Number ? MDNode::get(Context, Value) : nullptr);
}

uint32_t nonius_number(LLVMValueRef I) {
  auto *Inst = unwrap<Instruction>(I);
  MDNode *Node = Inst->hasMetadataOtherThanDebugLoc() ? Inst->getMetadata("nonius.number") : nullptr;
  return Node ? mdconst::extract<ConstantInt>(Node->getOperand(0))->getZExtValue() : 0;
}
}
