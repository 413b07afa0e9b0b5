"""Reads card data, with errors that name the file, the field and the expected value."""

import json
import re

SCRIPT = "scripts/import_xwing_data"
ID_FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class DataError(Exception):
    """The data or an argument is wrong. The message names the file and the expected value."""


def read_json(path, kind=dict):
    """Return the object (or, with kind=list, the list) in the JSON file `path`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: no such file; fetch a complete checkout of the data set") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error}); fetch the file again") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: broken JSON in line {error.lineno}, column {error.colno} ({error.msg}); "
                        "repair the file or fetch it again") from None
    if not isinstance(data, kind):
        raise DataError(f"{path}: a JSON {'object' if kind is dict else 'list'} is needed; fetch the file again")
    return data


def field(record, key, kind, where):
    """Return `record[key]`, checked to be of type `kind` (int, str, list or dict); `where` names it in errors."""
    if key not in record:
        raise DataError(f"{where}: missing field \"{key}\"; repair the file or fetch it again")
    value = record[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}
        raise DataError(f"{where}: field \"{key}\" is {json.dumps(value)[:60]}, {words[kind]} is needed; repair the file")
    if kind is str and (not value or not value.isprintable()):
        raise DataError(f"{where}: field \"{key}\" is empty or has control characters; repair the file")
    return value


def texts(record, key, where):
    """Return the list of texts `record[key]`."""
    values = field(record, key, list, where)
    return [field({key: value}, key, str, where) for value in values]


def objects(record, key, where):
    """Return the list of objects `record[key]`."""
    values = field(record, key, list, where)
    return [field({key: value}, key, dict, where) for value in values]


def identifier(record, where):
    """Return the xws id of a ship or pilot; it becomes a file name and an index key, so its form is checked."""
    value = field(record, "xws", str, where)
    if not ID_FORM.fullmatch(value):
        raise DataError(f"{where}: xws id \"{value}\" must be lower-case letters, digits and hyphens; repair the file")
    return value


def one_of(value, allowed, what, where):
    """Return `value` if it is one of `allowed`; anything else needs a new entry in this script's tables."""
    if value not in allowed:
        raise DataError(f"{where}: {what} \"{value}\" is not known, one of {', '.join(allowed)} is needed; "
                        f"repair the file, or add it to the tables of {SCRIPT}")
    return value


def slug(text, separator=""):
    """Return `text` in lower case with every run of other characters than letters and digits replaced."""
    return re.sub(r"[^a-z0-9]+", separator, text.lower()).strip(separator or None)
