"""Commands of gdb for programs that Nonius built: values beside what exact arithmetic would have given.

    nonius shadow EXPRESSION    value, ideal and error of a variable, or of all floats in it
    nonius locals               the same for the arguments and local variables of the selected frame
    nonius why [EXPRESSION]     the operation that its error goes back to; without one, the finding at which it stopped

The script travels in libnonius_rt.so, so that it fits what it reads. It reads memory and nothing else: the planes
(crates/abi/src/planes.rs), the table of roots (crates/runtime/src/roots.rs), and site tables (crates/abi/src/table.rs).
"""

import re
import struct
from decimal import Decimal, localcontext
from fractions import Fraction

import gdb

RESIDUE = -0x5000_0000_0000 + 64 * 37
COPY = -0x4000_0000_0000 + 64 * 85
SPANS = ((0x5500_0000_0000, 0x5700_0000_0000), (0x7000_0000_0000, 0x8000_0000_0000))
ROOTS = 1 << 12
NONE = 0xFFFF_FFFF
MOST_SHOWN = 10
MOST_LEAVES = 100_000


class Format:
    """A format of floats: its bytes in memory, its bits, those of its residue, and decimal digits that tell values apart."""

    def __init__(self, name, size, exponent_bits, fraction_bits, digits, explicit=False, residue=None):
        self.name, self.size, self.digits = name, size, digits
        self.exponent_bits, self.fraction_bits, self.explicit = exponent_bits, fraction_bits, explicit
        self.residue = residue or self

    def decode(self, data):
        """The number, exactly; None if it is not finite."""
        bits = int.from_bytes(data[: self.size], "little")
        leading = 1 if self.explicit else 0
        fraction = bits & ((1 << (self.fraction_bits + leading)) - 1)
        exponent = bits >> (self.fraction_bits + leading) & ((1 << self.exponent_bits) - 1)
        sign = -1 if bits >> (self.size * 8 - 1) else 1
        if exponent == (1 << self.exponent_bits) - 1:
            return None
        if exponent and not self.explicit:
            fraction |= 1 << self.fraction_bits
        scale = max(exponent, 1) - ((1 << (self.exponent_bits - 1)) - 1) - self.fraction_bits
        return sign * Fraction(fraction) * Fraction(2) ** scale


BFLOAT = Format("bfloat", 2, 8, 7, 4)
HALF = Format("half", 2, 5, 10, 5, residue=BFLOAT)
FLOAT = Format("float", 4, 8, 23, 9)
DOUBLE = Format("double", 8, 11, 52, 17)
X87 = Format("long double", 10, 15, 63, 21, explicit=True)
QUAD = Format("quad", 16, 15, 112, 36)


def format_of(kind):
    """The format of a type, None if it is no float."""
    kind = kind.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_FLT:
        return None
    name = (kind.name or "").lower()
    if kind.sizeof == 2:
        return BFLOAT if "bf" in name or "brain" in name else HALF
    if kind.sizeof == 16:
        return QUAD if any(word in name for word in ("128", "quad", "kind=16", "*16")) else X87
    return {4: FLOAT, 8: DOUBLE}.get(kind.sizeof)


class Shadow:
    """A float in memory, with what the planes hold of it."""

    def __init__(self, name, form, address):
        self.name, self.form, self.address = name, form, address
        data = read(address, form.size)
        self.bits = data
        self.value = form.decode(data)
        self.residue = Fraction(0)
        if any(start <= address and address + form.size <= end for start, end in SPANS):
            copy = read(address + COPY, form.size)
            residue = form.residue.decode(read(address + RESIDUE, form.residue.size))
            # Bit for bit: what was written behind the shadow's back has none.
            if copy == data and residue is not None:
                self.residue = residue

    @property
    def ideal(self):
        return None if self.value is None else self.value + self.residue

    @property
    def error(self):
        """The relative error; None if it is infinite or there is no ideal."""
        if self.value is None or self.residue == 0:
            return 0.0
        return None if self.ideal == 0 else float(abs(self.residue / self.ideal))

    def __str__(self):
        if self.value is None:
            return "%s = %s, not finite: it has no ideal" % (self.name, special(self.bits, self.form))
        value = decimal(self.value, self.form.digits)
        if self.residue == 0:
            return "%s = %s, no error is known" % (self.name, value)
        ideal = decimal(self.ideal, self.form.digits, self.value)
        return "%s = %s, ideal %s, %s" % (self.name, value, ideal, self.how_wrong())

    def how_wrong(self):
        error = self.error
        if error is None:
            return "relative error infinite"
        all_digits = {"half": 3, "bfloat": 2, "float": 7, "double": 16, "long double": 19, "quad": 34}[self.form.name]
        left = 0
        while left < all_digits and error * 10 ** (left + 1) < 5:
            left += 1
        return "relative error %.1e: %d of %d digits are right" % (error, left, all_digits)

    @property
    def weight(self):
        return float("inf") if self.error is None else self.error


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def special(bits, form):
    number = int.from_bytes(bits[: form.size], "little")
    sign = "-" if number >> (form.size * 8 - 1) else ""
    return "nan" if number & ((1 << form.fraction_bits) - 1) else sign + "inf"


def decimal(number, digits, beside=None):
    """A number in so many digits at most; in three more if it would read as the one that it stands beside."""
    if digits <= 17:
        short = repr(float(number)) if digits == 17 else "%.*g" % (digits, float(number))
        if beside is None or short != decimal(beside, digits):
            return short
    with localcontext() as context:
        context.prec = digits + (3 if beside is not None else 0)
        return str((Decimal(number.numerator) / Decimal(number.denominator)).normalize()).lower()


def leaves(value, name):
    """All floats of a value that lie in memory, with their names: of arrays, structures and complex numbers."""
    stack, count = [(value, name)], 0
    while stack and count < MOST_LEAVES:
        value, name = stack.pop()
        kind = value.type.strip_typedefs()
        if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            stack.append((value.referenced_value(), name))
        elif format_of(kind):
            if value.address is not None:
                count += 1
                yield Shadow(name, format_of(kind), int(value.address))
        elif kind.code == gdb.TYPE_CODE_COMPLEX and value.address is not None:
            part = kind.target()
            form = format_of(part)
            for index, word in enumerate(("real", "imaginary")):
                count += 1
                yield Shadow("%s part of %s" % (word, name), form, int(value.address) + index * part.sizeof)
        elif kind.code == gdb.TYPE_CODE_ARRAY:
            low, high = kind.range()
            for index in range(high, low - 1, -1):
                stack.append((value[index], "%s[%d]" % (name, index)))
        elif kind.code == gdb.TYPE_CODE_STRUCT:
            for field in reversed(kind.fields()):
                if hasattr(field, "bitpos") and not field.artificial:
                    inner = name if field.is_base_class else "%s.%s" % (name, field.name)
                    stack.append((value[field], inner))


def evaluate(text):
    """What an expression is, without calling a function of the program."""
    may_call = gdb.parameter("may-call-functions")
    gdb.execute("set may-call-functions off", to_string=True)
    try:
        return gdb.parse_and_eval(text)
    except gdb.error as error:
        # Said as gdb says it itself, without a trace of Python.
        raise gdb.GdbError(str(error))
    finally:
        if may_call:
            gdb.execute("set may-call-functions on", to_string=True)


def not_in_memory(value, name):
    """What to say of a value that has no address."""
    if value.is_optimized_out:
        return "%s is optimized out" % name
    if format_of(value.type):
        stop = Stop.now()
        if stop and bytes_of(value) == stop.bits_in(format_of(value.type)):
            return "%s = %s, ideal %s: the value that was found wrong here" % (name, value, stop.ideal)
        return "%s = %s, in a register: its shadow is in another that only the compiler knows (try -O0)" % (name, value)
    return "%s holds no floats in memory" % name


def bytes_of(value):
    form = format_of(value.type)
    return struct.pack({4: "<f", 8: "<d"}[form.size], float(value)) if form.size in (4, 8) else None


def shown(value, name):
    """Lines about a value: itself, or the worst of the floats in it."""
    found = list(leaves(value, name))
    if not found:
        return [not_in_memory(value, name)]
    if len(found) <= MOST_SHOWN:
        return [str(shadow) for shadow in found]
    wrong = sorted((s for s in found if s.weight > 0), key=lambda s: -s.weight)
    lines = ["%s: %d floats, an error is known of %d%s" % (name, len(found), len(wrong), ", the worst:" if wrong else "")]
    return lines + ["  " + str(shadow) for shadow in wrong[:MOST_SHOWN]]


class Stop:
    """The last finding that the runtime stopped at."""

    def __init__(self, data):
        self.value, self.ideal = struct.unpack_from("<dd", data, 8)
        self.words = data[24:].split(b"\0")[0].decode("utf-8", "replace")

    @staticmethod
    def now():
        data = read(symbol("__nonius_stop"), 24 + 1000)
        return Stop(data) if struct.unpack_from("<Q", data)[0] else None

    def bits_in(self, form):
        try:
            return struct.pack({4: "<f", 8: "<d"}[form.size], self.value) if form.size in (4, 8) else b""
        except OverflowError:
            return b""


def symbol(name):
    """The address of a variable of the runtime."""
    language = gdb.parameter("language")
    gdb.execute("set language c", to_string=True)
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + name))
    except gdb.error:
        raise gdb.GdbError("this program does not run under Nonius (yet): build it with 'nonius cc', then 'start' it")
    finally:
        gdb.execute("set language " + language, to_string=True)


def mix(number):
    number = (number ^ number >> 32) * 0xD6E8_FEB8_6659_FD93 % (1 << 64)
    return number ^ number >> 32


def root_of(shadow):
    """Where the error of a float goes back to, if the runtime has found it bad: module and site."""
    double = lambda number: struct.unpack("<Q", struct.pack("<d", abs(float(number))))[0]
    key = mix((double(shadow.value) + mix(double(shadow.ideal))) % (1 << 64))
    check, module, site = struct.unpack("<QQQ", read(symbol("__nonius_roots") + 24 * (key % ROOTS), 24))
    turned = (site << 32 | site >> 32) % (1 << 64)
    return (module, site) if module and check == key ^ module ^ turned else None


def demangled(name):
    # It is the program's, and goes into a command: a name, or left as it is.
    if not re.fullmatch(r"[\w.$]+", name):
        return name
    try:
        return gdb.execute("demangle -- " + name, to_string=True).strip()
    except gdb.error:
        return name


class Site:
    """A site of a site table: its operation's place."""

    def __init__(self, module, number):
        table, size = struct.unpack("<QQ", read(module, 16))
        data = read(table, size)
        locs, sites, functions, lost, strings = struct.unpack_from("<5I", data, 12)
        sites_at = 40 + 20 * locs
        ends_at = sites_at + 20 * sites + 36 * functions + 12 * lost
        ends = (0,) + struct.unpack_from("<%dI" % strings, data, ends_at)
        text_at = ends_at + 4 * strings
        text = lambda n: data[text_at + ends[n] : text_at + ends[n + 1]].decode("utf-8", "replace")
        _, at, seen, name, _ = struct.unpack_from("<5I", data, sites_at + 20 * number)
        self.callee = text(name)
        loc = at if at != NONE else seen
        self.file, self.function, self.line, self.column = "", "", 0, 0
        if loc != NONE:
            file, function, self.line, self.column, _ = struct.unpack_from("<5I", data, 40 + 20 * loc)
            self.file, self.function = text(file), text(function)

    def __str__(self):
        place = "%s:%d:%d" % (self.file, self.line, self.column) if self.line else "an unknown line"
        callee = ", in the call of " + self.callee if self.callee else ""
        return "%s, in %s%s" % (place, demangled(self.function) or "an unknown function", callee)

    def source(self):
        try:
            with open(self.file, errors="replace") as lines:
                return next(text for number, text in enumerate(lines, 1) if number == self.line).strip()
        except (OSError, StopIteration):
            return None


class Nonius(gdb.Command):
    """Values beside what exact arithmetic would have given, in programs that Nonius built."""

    def __init__(self):
        super().__init__("nonius", gdb.COMMAND_DATA, prefix=True)


class ShadowCommand(gdb.Command):
    """nonius shadow EXPRESSION: value, ideal and error of a variable, or of all floats in it."""

    def __init__(self):
        super().__init__("nonius shadow", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, text, from_tty):
        if not text.strip():
            raise gdb.GdbError("nonius shadow EXPRESSION")
        symbol("__nonius_stop")
        print("\n".join(shown(evaluate(text), text.strip())))


class LocalsCommand(gdb.Command):
    """nonius locals: arguments and local variables of the selected frame, beside their ideals."""

    def __init__(self):
        super().__init__("nonius locals", gdb.COMMAND_STACK)

    def invoke(self, text, from_tty):
        symbol("__nonius_stop")
        frame = gdb.selected_frame()
        names, lines = set(), []
        block = frame.block()
        while block is not None and not block.is_global and not block.is_static:
            for variable in block:
                if (variable.is_argument or variable.is_variable) and variable.name not in names:
                    names.add(variable.name)
                    value = variable.value(frame)
                    if value.is_optimized_out or format_of(value.type) or any(True for _ in leaves(value, "")):
                        lines += shown(value, variable.name)
            block = None if block.function else block.superblock
        print("\n".join(lines) or "no floats here")


class WhyCommand(gdb.Command):
    """nonius why [EXPRESSION]: the operation that its error goes back to; without one, the finding at which it stopped."""

    def __init__(self):
        super().__init__("nonius why", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, text, from_tty):
        stop = Stop.now()
        if not text.strip():
            print(stop.words if stop else "no finding yet")
            return
        name = text.strip()
        value = evaluate(text)
        found = sorted(leaves(value, name), key=lambda s: -s.weight)
        print(str(found[0]) if found else not_in_memory(value, name))
        if found and found[0].value is not None and found[0].residue != 0:
            for line in self.reasons(found[0], stop):
                print("  " + line)

    def reasons(self, shadow, stop):
        root = root_of(shadow)
        if root:
            site = Site(*root)
            yield "the error goes back to %s" % site
            if site.source():
                yield "    " + site.source()
        elif stop and shadow.bits == stop.bits_in(shadow.form):
            yield "it is what the program stopped at: " + stop.words
        else:
            yield "nothing was found of it so far; 'nonius run' follows an error to its causes"


class Printer:
    """A float with its ideal, where 'print' and 'info locals' show it."""

    def __init__(self, value, shadow):
        self.value, self.shadow = value, shadow

    def to_string(self):
        plain = self.value.format_string(raw=True)
        return "%s <ideal %s>" % (plain, decimal(self.shadow.ideal, self.shadow.form.digits, self.shadow.value))


def print_with_ideal(value):
    """A printer for floats whose error is past the usual threshold, 2^-19."""
    form = format_of(value.type)
    if form is None or value.is_optimized_out or value.address is None:
        return None
    try:
        shadow = Shadow("", form, int(value.address))
    except gdb.error:
        return None
    return Printer(value, shadow) if shadow.weight > 2.0**-19 else None


def own_frame(event):
    """At a breakpoint on __nonius_break, selects the program's own frame."""
    frame = gdb.newest_frame()
    if not isinstance(event, gdb.BreakpointEvent) or frame.name() != "__nonius_break":
        return
    while frame is not None and (gdb.solib_name(frame.pc()) or "").endswith("libnonius_rt.so"):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


print_with_ideal.__name__ = "nonius"
if "nonius" not in [getattr(printer, "__name__", "") for printer in gdb.pretty_printers]:
    gdb.pretty_printers.append(print_with_ideal)
    gdb.events.stop.connect(own_frame)
for command in (Nonius, ShadowCommand, LocalsCommand, WhyCommand):
    command()
