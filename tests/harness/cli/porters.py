"""What a porter writes into the skeleton of each language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Porter:
    """What a porter of one language needs and writes: `refusing` becomes `answering`, which echoes the text, but prints,
    and raises or answers half a character for the texts `raise` and `half`. `half` is the reply to the latter, `raised` the
    message of the error, `place` a part of its stack, empty without one."""

    tool: str
    refusing: str
    answering: str
    half: object
    raised: str
    place: str


PORTERS = {
    "cpp": Porter(
        "c++",
        "throw OutOfReach(NOT_YET);",
        'std::puts("noise"); if (text == "raise") throw std::out_of_range("burst"); '
        'return {{"text", text == "half" ? utf8({0xd800}) : text}};',
        {"text": "\ud800"},
        "std::out_of_range: burst",
        "",
    ),
    "csharp": Porter(
        "dotnet",
        "throw new OutOfReach(NotYet);",
        'Console.WriteLine("noise"); if (text == "raise") throw new InvalidOperationException("burst"); '
        'return new Dictionary<string, object> { ["text"] = text == "half" ? "\\ud800" : text };',
        {"text": "\ud800"},
        "System.InvalidOperationException: burst",
        "Adapter.cs:",
    ),
    "go": Porter(
        "go",
        "return nil, outOfReach{notYet}",
        'println("to standard error"); os.Stdout.WriteString("noise\\n"); if request.Text == "raise" { panic("burst") }; '
        'if request.Text == "half" { return object{"text": "\\xed\\xa0\\x80"}, nil }; '
        'return object{"text": request.Text}, nil',
        -32000,
        "panic: burst",
        "adapter.go:",
    ),
    "java": Porter(
        "java",
        "throw new OutOfReach(NOT_YET);",
        'System.out.println("noise"); if (text.equals("raise")) throw new StackOverflowError("burst"); '
        'return Map.of("text", text.equals("half") ? "\\ud800" : text);',
        {"text": "\ud800"},
        "java.lang.StackOverflowError: burst",
        "Adapter.java:",
    ),
    "kotlin": Porter(
        "kotlinc",
        "throw OutOfReach(NOT_YET)",
        'println("noise"); if (text == "raise") throw StackOverflowError("burst"); '
        'return mapOf("text" to (if (text == "half") "\\ud800" else text))',
        {"text": "\ud800"},
        "java.lang.StackOverflowError: burst",
        "adapter.kt:",
    ),
    "php": Porter(
        "php",
        "throw new OutOfReach(NOT_YET);",
        'echo "noise\\n"; if ($text === "raise") { intdiv(1, 0); } '
        'return ["text" => $text === "half" ? "\\xed\\xa0\\x80" : $text];',
        -32000,
        "DivisionByZeroError: Division by zero",
        "adapter.php(",
    ),
    "python": Porter(
        "python3",
        "raise OutOfReach(NOT_YET)",
        'print("noise"); return {"text": "\\ud800" if text == "half" else text if text != "raise" else 1 // 0}',
        {"text": "\ud800"},
        "ZeroDivisionError: integer division or modulo by zero",
        "adapter.py",
    ),
    "ruby": Porter(
        "ruby",
        "raise Protocol::OutOfReach, NOT_YET",
        'puts "noise"; raise SystemStackError, "burst" if text == "raise"; '
        '{ "text" => text == "half" ? "\\xed\\xa0\\x80" : text }',
        -32000,
        "SystemStackError: burst",
        "adapter.rb:",
    ),
    "rust": Porter(
        "cargo",
        "Err(Failure::OutOfReach(NOT_YET.into()))",
        'println!("noise"); if text == "raise" { panic!("burst") }; '
        'if text == "half" { return Ok(json!({"text": protocol::utf16(&[0xd800])})) }; Ok(json!({"text": text}))',
        {"text": "\ud800"},
        "panic: burst",
        "at src/main.rs:",
    ),
    "swift": Porter(
        "swift",
        "throw OutOfReach(reason: NOT_YET)",
        'enum Burst: Error { case raised }; print("noise"); '
        'if text == "raise" { throw Burst.raised }; return ["text": .text(text)]',
        {"text": "half"},
        "Burst: raised",
        "",
    ),
    "typescript": Porter(
        "node",
        "throw new OutOfReach(NOT_YET);",
        "console.log('noise'); if (text === 'raise') throw new Error('burst'); "
        "return { text: text === 'half' ? '\\ud800' : text };",
        {"text": "\ud800"},
        "Error: burst",
        "adapter.mjs:",
    ),
}
"""The strings of Go, PHP and Ruby are bytes, and half a character in them is an error. In Rust and C++ UTF-16 code units
hold one; in Swift nothing does. The exceptions of C++ and Swift have no stack."""
