"""check(value, schema) lists errors, for the part of JSON Schema (draft 2020-12) that docs/schemas uses."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "title", "description", "type", "properties", "required", "additionalProperties", "items", "minItems",
         "maxItems", "enum", "const", "anyOf", "exclusiveMinimum", "minimum", "maximum", "examples", "$ref",
         "$defs", "x-answers"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, path="$", whole=None):
    """The errors as texts; empty if the value is valid. An unknown keyword raises KeyError. `whole`: the schema that
    "#/$defs/NAME" refers to, if it is not `schema`."""
    whole = schema if whole is None else whole
    if "$ref" in schema:
        return check(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], path, whole)
    unknown = schema.keys() - KNOWN
    if unknown:
        raise KeyError(f"{path}: keywords not known to this checker: {sorted(unknown)}")
    errors = []
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return [f"{path}: {value!r:.60} is not of type {' or '.join(types)}"]
    if "const" in schema and value != schema["const"]:
        errors.append(f"{path}: {value!r:.60} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        errors.append(f"{path}: {value!r:.60} is not one of {schema['enum']}")
    if is_type(value, "number"):
        if value < schema.get("minimum", value):
            errors.append(f"{path}: {value} is below {schema['minimum']}")
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            errors.append(f"{path}: {value} is not above {schema['exclusiveMinimum']}")
        if value > schema.get("maximum", value):
            errors.append(f"{path}: {value} is above {schema['maximum']}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            errors.append(f"{path}: {len(value)} items")
        for number, item in enumerate(value):
            errors += check(item, schema.get("items", {}), f"{path}[{number}]", whole)
    if isinstance(value, dict):
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        errors += [f"{path}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key in properties:
                errors += check(item, properties[key], f"{path}.{key}", whole)
            elif rest is False:
                errors.append(f"{path}: {key} is not in the schema")
            elif isinstance(rest, dict):
                errors += check(item, rest, f"{path}.{key}", whole)
    if "anyOf" in schema:
        attempts = [check(value, one, path, whole) for one in schema["anyOf"]]
        if all(attempts):
            errors += min(attempts, key=len)
    return errors
