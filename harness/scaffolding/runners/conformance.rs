//! Runs an exported conformance corpus with `cargo test`. `parity export` writes this file.
//!
//! Put it into tests/, beside tests/answer/mod.rs with the function that answers a request:
//!
//!     pub fn answer(operation: &str, request: &Value) -> Result<Value, String>
//!
//! An error is its type in the specification, or "UNSUPPORTED", which skips the case. Cargo.toml needs serde_json as a
//! dev-dependency. CONFORMANCE_CORPUS is the folder of the export (default: tests/conformance).

mod answer;

use serde_json::{json, Value};
use std::{env, fs};

#[test]
fn conformance() {
    let corpus = read("corpus.json");
    assert!(corpus["format"] == 1, "corpus.json has format {}; this runner needs format 1", corpus["format"]);
    let (mut failed, mut passed, mut skipped) = (Vec::new(), 0, 0);
    for file in list(&corpus["files"]).iter().filter(|file| file["suite"].is_string()) {
        for case in list(&read(text(&file["file"]))["cases"]) {
            let rules = &corpus["operations"][text(&case["operation"])]["rules"];
            match check(case, rules) {
                None => skipped += 1,
                Some(Ok(())) => passed += 1,
                Some(Err(why)) => failed.push(format!("{}\n  {why}", text(&case["name"]))),
            }
        }
    }
    assert!(passed + skipped + failed.len() > 0, "corpus.json has no case");
    println!("{passed} passed, {} failed, {skipped} skipped", failed.len());
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
}

/// None if the case is skipped, else whether the answer is accepted.
fn check(case: &Value, rules: &Value) -> Option<Result<(), String>> {
    let variables = case["environment"].as_object();
    if variables.is_some_and(|all| all.iter().any(|(name, value)| env::var(name).as_deref() != Ok(text(value)))) {
        return None;
    }
    let got = match answer::answer(text(&case["operation"]), &case["request"]) {
        Ok(value) => json!({ "answer": value }),
        Err(kind) if kind == "UNSUPPORTED" => return None,
        Err(kind) => json!({ "error": kind }),
    };
    let readings = case["readings"].as_object().into_iter().flat_map(|all| all.values());
    let accepted = readings.chain([&case["expected"]]).any(|wanted| {
        let free: Vec<Vec<String>> = list(&wanted["free"]).iter().map(|place| steps(text(place))).collect();
        match (wanted.get("error"), got.get("error")) {
            (None, None) => equal(&wanted["answer"], &got["answer"], rules, &free),
            (wanted, got) => wanted == got,
        }
    });
    let difference = || Err(format!("wanted {}\n  got    {got}", case["expected"]));
    Some(if accepted { Ok(()) } else { difference() })
}

/// Compares as the corpus demands; `free` has the paths below this place that may have any value, `*` for each one.
fn equal(wanted: &Value, got: &Value, rules: &Value, free: &[Vec<String>]) -> bool {
    match (wanted, got) {
        (Value::Object(want), Value::String(have)) => {
            let have = plain(have);
            want.get("$maxLength").and_then(Value::as_u64).is_some_and(|most| have.chars().count() as u64 <= most)
                && list(&wanted["$contains"]).iter().any(|one| have.contains(&plain(text(one))))
        }
        (Value::Object(want), Value::Object(have)) => {
            let extra = have.keys().filter(|name| !want.contains_key(*name));
            want.keys().chain(extra).all(|name| {
                let (rule, paths) = (&rules["properties"][name], below(free, name));
                let is_free = rule["ignored"] == true || paths.iter().any(Vec::is_empty);
                is_free
                    || match (want.get(name), have.get(name)) {
                        (Some(value), Some(other)) => equal(value, other, rule, &paths),
                        (expected, _) => expected.is_none() && rule["ifExpected"] == true,
                    }
            })
        }
        (Value::Array(want), Value::Array(have)) if rules["unordered"] == true => {
            let mut left: Vec<&Value> = have.iter().collect();
            // The first element that matches is enough unless tolerances overlap.
            let found = want.iter().all(|value| {
                let at = left.iter().position(|one| equal(value, one, &rules["items"], &[]));
                at.map(|at| left.swap_remove(at)).is_some()
            });
            found && left.is_empty()
        }
        (Value::Array(want), Value::Array(have)) => {
            want.len() == have.len()
                && want.iter().zip(have).enumerate().all(|(at, (value, other))| {
                    let paths = below(free, &at.to_string());
                    paths.iter().any(Vec::is_empty) || equal(value, other, &rules["items"], &paths)
                })
        }
        (Value::Number(want), Value::Number(have)) => {
            let (want, have) = (want.as_f64().unwrap(), have.as_f64().unwrap());
            want == have || near(want, have, &rules["tolerance"])
        }
        _ => wanted == got,
    }
}

fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn near(want: f64, have: f64, tolerance: &Value) -> bool {
    if let Some(most) = tolerance["absolute"].as_f64() {
        return (want - have).abs() <= most;
    }
    let ulps = tolerance["ulps"].as_u64();
    ulps.is_some_and(|most| u128::from(most) >= (rank(want) - rank(have)).unsigned_abs())
}

/// The place of a number among all doubles.
fn rank(number: f64) -> i128 {
    let bits = i128::from(number.abs().to_bits());
    if number < 0.0 { -bits } else { bits }
}

fn below(free: &[Vec<String>], token: &str) -> Vec<Vec<String>> {
    let fits = free.iter().filter(|path| path.first().is_some_and(|first| first == "*" || first == token));
    fits.map(|path| path[1..].to_vec()).collect()
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn read(file: &str) -> Value {
    let folder = env::var("CONFORMANCE_CORPUS").unwrap_or_else(|_| "tests/conformance".into());
    let path = format!("{folder}/{file}");
    let data = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&data).unwrap_or_else(|error| panic!("{path}: {error}"))
}
