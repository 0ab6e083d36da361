import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldElement, formatElement, keyElement, parseElement, sortElements, valueElement } from "./path-element.ts";

describe("path elements", () => {
  it("are written as in fieldsV1", () => {
    assert.equal(fieldElement("a.b/c"), "f:a.b/c");
    assert.equal(
      keyElement([
        ["containerPort", 80],
        ["protocol", "TCP"],
      ]),
      'k:{"containerPort":80,"protocol":"TCP"}',
    );
    assert.equal(valueElement("x"), 'v:"x"');
    assert.equal(valueElement("C:\\bin\\f"), 'v:"C:\\\\bin\\\\f"');
    assert.equal(valueElement('<a>&"\n\b'), 'v:"\\u003ca\\u003e\\u0026\\"\\n\\u0008"');
  });

  it("are printed as in conflicts", () => {
    assert.equal(formatElement("f:a.b"), ".a.b");
    assert.equal(
      formatElement(
        keyElement([
          ["name", 'a"b'],
          ["port", 80],
        ]),
      ),
      '[name="a\\"b",port=80]',
    );
    assert.equal(formatElement(valueElement(true)), "[=true]");
    assert.equal(formatElement("i:3"), "[3]");
  });

  it("are made canonical when they are read", () => {
    assert.equal(parseElement('k:{ "protocol": "TCP", "port": 80 }'), 'k:{"port":80,"protocol":"TCP"}');
    assert.equal(parseElement('v: "x"'), 'v:"x"');
    assert.equal(parseElement("i:07"), "i:7");
    for (const wrong of ["", "x", "x:y", "k:[]", "k:{", "v:", "i:x"]) assert.equal(parseElement(wrong), undefined);
  });

  it("are sorted by kind, then fields by name, keys and values by value", () => {
    const ordered = [
      "f:B",
      "f:a",
      "f:b",
      'k:{"a":1}',
      'k:{"a":2}',
      'k:{"a":10}',
      'k:{"a":"1"}',
      'k:{"a":"1","b":1}',
      'k:{"b":0}',
      "v:2",
      "v:10",
      'v:"a"',
      'v:"a!"',
      "v:false",
      "v:true",
      "i:2",
      "i:10",
    ];
    assert.deepEqual(sortElements(ordered.toReversed()), ordered);
    assert.deepEqual(sortElements(["f:b", "f:a"]), ["f:a", "f:b"]);
  });
});
