// What the parts of a page hold. Written by ../data.rs; only the checker reads this file.
type Num = number | "nan" | "inf" | "-inf";
interface Place { file?: number; line: number; text: string; mark?: [number, number] }
interface Row {
  id: string; kind: string; severity: string; state: "found" | "known" | "refuted"; headline: string; place: Place;
  function: number | null; count: number; reach: "output" | "decision" | "stored"; class?: string; verdict?: string;
  bits?: [number, number]; symptoms?: number; programs?: string[]; tests?: string[]; ranks?: string[];
}
interface Output { place: Place; count: number; digits: number; error: string; open: number }
interface FileEntry { path: string; findings: number; has_text: boolean }
interface Suppression { entry: string; reason: string; place: string; count: number }
interface Run {
  title: string; sentence: string; totals: string; command: string; oracle: string; settled_by?: string; programs: string[]; folder?: string; pid: number;
  exit: number | null; remarks: string[]; folded: string[]; baseline?: { file: string; known: number; gone: string[] };
  suppressed: number; suppressions: Suppression[]; tool: string;
  coverage: { sentence: string; rows: string[][]; unknown: string[][]; left_alone: string[] };
}
interface Index {
  run: Run; findings: Row[]; files: FileEntry[]; functions: string[]; outputs: Output[]; operations: number; group: number;
  further: Record<string, any[]>;
}
interface Numbers {
  node: number; operands: number[]; error: Num; introduced: Num; error_text: string; introduced_text: string;
  values?: string; count: number; dominant: boolean; typical: boolean;
}
interface Samples { every: number; errors: number[] }
interface Growth { stages: number; faults: number; first: number; last: number; before: Num; after: Num; samples?: Samples }
interface Cause {
  operation: string; effect: string; place: Place; function: string; measured?: Numbers; growth?: Growth;
}
interface Values { value: number; ideal: number; radius: Num; value_text: string; ideal_text: string }
interface Detail {
  facts: string[]; advice: string; places: { role: string; place: Place; function: string }[]; values?: Values; measured?: number;
  symptoms: { text: string; place: Place; at: string }[]; causes: Cause[]; callers: Place[]; stack: Place[];
}
interface KnownLine {
  line: number; findings?: number[]; operations?: number[]; feeds?: [number, number][]; fed_by?: [number, number][];
}
interface SourceText { runs: [number, string[]][]; lines: KnownLine[] }
interface Operation {
  place: Place; operation: string; function: number | null; count: number; mean: Num; max: Num; introduced: Num;
  badness: number; mean_badness: Num; samples?: Samples;
}
interface Observable { place: Place; at: string; count: number; max: Num; open: number; not_followed: number }
interface Likely {
  place: Place; operation: string; depth: number; value: string; ideal: string; error: Num; badness: number;
  cancelled_at?: Place;
}
interface Statistics { operations: Operation[]; observables: Observable[]; results: Likely[] }
/** Where the reader is: a view, what of it, and its settings, all of it in the address. */
interface Address { view: string; item: string; settings: Map<string, string[]> }
type Child = Node | string | number | null | undefined | false | Child[];
