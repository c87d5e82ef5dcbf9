// Runs an exported conformance corpus with JUnit 5. `parity export` writes this file.
//
// Put it into src/test/java, beside a class with the method that answers a request:
//
//     class Answer { static Object answer(String operation, JsonNode request) throws Exception { … } }
//
// It returns a value for Jackson. It throws ConformanceTest.Raised with the type of an error that the specification names,
// or UnsupportedOperationException, which skips the case. CONFORMANCE_CORPUS is the folder of the export (default:
// src/test/resources/conformance). The tests need JUnit 5 and jackson-databind.

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ConformanceTest {
    static final ObjectMapper JSON = new ObjectMapper();

    static final class Raised extends RuntimeException {
        Raised(String type) {
            super(type);
        }
    }

    @TestFactory
    Stream<DynamicNode> conformance() throws IOException {
        var corpus = read("corpus.json");
        if (corpus.path("format").asInt() != 1 || corpus.path("files").isEmpty()) {
            throw new IllegalStateException("corpus.json: this runner needs format 1 and a case");
        }
        return stream(corpus.path("files")).filter(file -> file.has("suite")).map(file -> DynamicContainer
            .dynamicContainer(file.path("suite").asText(), stream(read(file.path("file").asText()).path("cases"))
                .map(one -> DynamicTest.dynamicTest(one.path("name").asText(), () ->
                    check(one, corpus.path("operations").path(one.path("operation").asText()).path("rules"))))));
    }

    static void check(JsonNode one, JsonNode rules) throws Exception {
        for (var variable : one.path("environment").properties()) {
            assumeTrue(variable.getValue().asText().equals(System.getenv(variable.getKey())), "run it with " + variable);
        }
        var got = JSON.createObjectNode();
        try {
            got.set("answer", JSON.readTree(JSON.writeValueAsString(
                Answer.answer(one.path("operation").asText(), one.path("request")))));
        } catch (Raised error) {
            got.put("error", error.getMessage());
        } catch (UnsupportedOperationException error) {
            assumeTrue(false, "unsupported");
        }
        var accepted = new ArrayList<JsonNode>(List.of(one.path("expected")));
        one.path("readings").forEach(accepted::add);
        if (accepted.stream().noneMatch(wanted -> matches(wanted, got, rules))) {
            assertEquals(one.path("expected").toPrettyString(), got.toPrettyString());
        }
    }

    static boolean matches(JsonNode wanted, ObjectNode got, JsonNode rules) {
        if (wanted.has("error") || got.has("error")) {
            return wanted.path("error").equals(got.path("error"));
        }
        var free = stream(wanted.path("free")).map(place -> List.of(place.asText().substring(1).split("/"))).toList();
        return equal(wanted.path("answer"), got.path("answer"), rules, free);
    }

    /** Compares as the corpus demands; `free` has the paths below this place that may have any value, * for each one. */
    static boolean equal(JsonNode wanted, JsonNode got, JsonNode rules, List<List<String>> free) {
        if (wanted.has("$contains") && got.isTextual()) {
            var text = plain(got);
            return text.codePointCount(0, text.length()) <= wanted.path("$maxLength").asInt()
                && stream(wanted.get("$contains")).anyMatch(one -> text.contains(plain(one)));
        }
        if (wanted.isObject() && got.isObject()) {
            var names = new TreeSet<String>();
            wanted.fieldNames().forEachRemaining(names::add);
            got.fieldNames().forEachRemaining(names::add);
            return names.stream().allMatch(name -> {
                var rule = rules.path("properties").path(name);
                var paths = below(free, name);
                return rule.path("ignored").asBoolean() || paths.contains(List.<String>of())
                    || (wanted.has(name)
                        ? got.has(name) && equal(wanted.get(name), got.get(name), rule, paths)
                        : rule.path("ifExpected").asBoolean());
            });
        }
        if (wanted.isArray() && got.isArray()) {
            var left = new ArrayList<JsonNode>();
            got.forEach(left::add);
            for (int at = 0; at < wanted.size() && wanted.size() == got.size(); at++) {
                var value = wanted.get(at);
                var paths = below(free, Integer.toString(at));
                // The first element that matches is enough unless tolerances overlap.
                Optional<JsonNode> found = (rules.path("unordered").asBoolean() ? left.stream() : left.stream().limit(1))
                    .filter(other -> paths.contains(List.<String>of()) || equal(value, other, rules.path("items"), paths))
                    .findFirst();
                if (found.isEmpty()) {
                    return false;
                }
                left.remove(found.get());
            }
            return wanted.size() == got.size();
        }
        if (wanted.isNumber() && got.isNumber()) {
            return near(wanted.asDouble(), got.asDouble(), rules.path("tolerance"));
        }
        return wanted.equals(got);
    }

    static String plain(JsonNode text) {
        return String.join(" ", text.asText().toLowerCase().strip().split("\\s+"));
    }

    static boolean near(double wanted, double got, JsonNode tolerance) {
        if (wanted == got || tolerance.has("absolute")) {
            return Math.abs(wanted - got) <= tolerance.path("absolute").asDouble();
        }
        return Math.abs(rank(wanted) - rank(got)) <= tolerance.path("ulps").asLong();
    }

    /** The place of a number among all doubles. */
    static long rank(double number) {
        var bits = Double.doubleToLongBits(Math.abs(number));
        return number < 0 ? -bits : bits;
    }

    static List<List<String>> below(List<List<String>> free, String token) {
        return free.stream().filter(path -> !path.isEmpty()).filter(path -> List.of("*", token)
            .contains(path.get(0).replace("~1", "/").replace("~0", "~"))).map(path -> path.subList(1, path.size())).toList();
    }

    static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static JsonNode read(String file) {
        var folder = Optional.ofNullable(System.getenv("CONFORMANCE_CORPUS")).orElse("src/test/resources/conformance");
        try {
            return JSON.readTree(Path.of(folder, file).toFile());
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
