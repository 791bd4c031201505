//! Limits of service requests: every text, list and number of a request has a largest value that its schema states.
//!
//! One mechanism for all services of all games: [`state`] writes the limits that a request type leaves out into its
//! schema (so that the OpenAPI document shows them), [`check`] compares a request with its schema before the service
//! sees it. A type that needs more states it on the field: `#[schema(max_length = 200_000)]`.

use crate::{RuleError, TypeSchema};
use serde_json::Value;
use std::collections::HashMap;
use utoipa::Number;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Schema, SchemaType, Type};
use utoipa::openapi::{Object, RefOr};

/// Most characters of a text whose field states no limit.
pub const TEXT: usize = 256;
/// Most items of a list whose field states no limit.
pub const ITEMS: usize = 512;
/// Largest number whose field states no limit; seeds have none.
pub const NUMBER: usize = 1_000_000_000;
/// Most texts, numbers and names in a value of free form, and most characters of all of them together.
pub const FREE: usize = 4_096;

/// Writes the default limits into a schema wherever a type states none.
pub fn state(schema: &mut TypeSchema) {
    state_in(&mut schema.schema);
    schema.parts.iter_mut().for_each(|(_, part)| state_in(part));
}

fn state_in(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            if takes(object, &Type::String) && object.enum_values.is_none() {
                object.max_length.get_or_insert(TEXT);
            }
            for (name, property) in &mut object.properties {
                match property {
                    RefOr::T(Schema::Object(number)) if is_number(number) && !name.ends_with("seed") => {
                        number.maximum.get_or_insert(Number::UInt(NUMBER));
                    }
                    property => state_in(property),
                }
            }
            if let Some(AdditionalProperties::RefOr(rest)) = object.additional_properties.as_deref_mut() {
                state_in(rest);
            }
        }
        Schema::Array(array) => {
            array.max_items.get_or_insert(ITEMS);
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                match &mut **items {
                    RefOr::T(Schema::Object(number)) if is_number(number) => {
                        number.maximum.get_or_insert(Number::UInt(NUMBER));
                    }
                    items => state_in(items),
                }
            }
        }
        Schema::OneOf(of) => of.items.iter_mut().for_each(state_in),
        Schema::AllOf(of) => of.items.iter_mut().for_each(state_in),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(state_in),
        _ => {}
    }
}

/// Refuses a request that is larger than its schema states, naming the field and the limit.
///
/// Only limits are checked: a value of the wrong kind is left to the service's own reader.
pub fn check(schema: &TypeSchema, request: &Value) -> Result<(), RuleError> {
    let parts = schema.parts.iter().map(|(name, part)| (name.as_str(), part)).collect();
    Checker { parts }.value(&schema.schema, request, "the request")
}

struct Checker<'a> {
    parts: HashMap<&'a str, &'a RefOr<Schema>>,
}

impl Checker<'_> {
    fn value(&self, schema: &RefOr<Schema>, value: &Value, path: &str) -> Result<(), RuleError> {
        let schema = match schema {
            RefOr::T(schema) => schema,
            RefOr::Ref(name) => {
                let name = name.ref_location.rsplit('/').next().unwrap_or_default();
                return self.parts.get(name).map_or(Ok(()), |part| self.value(part, value, path));
            }
        };
        match schema {
            Schema::Object(object) => self.object(object, value, path),
            Schema::Array(array) => {
                let Value::Array(items) = value else { return Ok(()) };
                let most = array.max_items.unwrap_or(ITEMS);
                if items.len() > most {
                    return Err(too_much(path, items.len(), "items", most));
                }
                let ArrayItems::RefOrSchema(each) = &array.items else { return Ok(()) };
                items.iter().enumerate().try_for_each(|(at, item)| self.value(each, item, &format!("{path}[{at}]")))
            }
            // Every alternative may speak of the same field: the value has to keep all their limits.
            Schema::OneOf(of) => of.items.iter().try_for_each(|part| self.value(part, value, path)),
            Schema::AllOf(of) => of.items.iter().try_for_each(|part| self.value(part, value, path)),
            Schema::AnyOf(of) => of.items.iter().try_for_each(|part| self.value(part, value, path)),
            _ => Ok(()),
        }
    }

    fn object(&self, object: &Object, value: &Value, path: &str) -> Result<(), RuleError> {
        match value {
            Value::String(text) if takes(object, &Type::String) => {
                let most = object.max_length.unwrap_or(TEXT);
                // Only a text with more bytes than that can have more characters.
                let length = if text.len() > most { text.chars().count() } else { 0 };
                if length > most { Err(too_much(path, length, "characters", most)) } else { Ok(()) }
            }
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::INFINITY);
                if is_free(object) && object.maximum.is_none() && number.abs() > NUMBER as f64 {
                    return Err(refused(format!("{path}: {number} is beyond {NUMBER}")));
                }
                let beyond = |limit: &Option<Number>, sign: f64| {
                    limit.as_ref().map(figure).filter(|limit| (number - limit) * sign > 0.0)
                };
                if let Some(most) = beyond(&object.maximum, 1.0) {
                    return Err(refused(format!("{path}: {number} is more than {most}")));
                }
                match beyond(&object.minimum, -1.0) {
                    Some(least) => Err(refused(format!("{path}: {number} is less than {least}"))),
                    None => Ok(()),
                }
            }
            Value::Object(fields) if !object.properties.is_empty() => {
                let inner = |name: &str| if path == "the request" { name.to_owned() } else { format!("{path}.{name}") };
                fields.iter().try_for_each(|(name, field)| match object.properties.get(name) {
                    Some(schema) => self.value(schema, field, &inner(name)),
                    None => Ok(()),
                })
            }
            Value::Object(fields) => match object.additional_properties.as_deref() {
                Some(AdditionalProperties::RefOr(each)) => {
                    if fields.len() > ITEMS {
                        return Err(too_much(path, fields.len(), "fields", ITEMS));
                    }
                    fields.iter().try_for_each(|(name, field)| {
                        self.value(each, field, &format!("{path}.{}", name.chars().take(TEXT).collect::<String>()))
                    })
                }
                _ => free(value, path),
            },
            Value::String(_) | Value::Array(_) if is_free(object) => free(value, path),
            _ => Ok(()),
        }
    }
}

/// Whether a schema takes values of a type.
fn takes(object: &Object, wanted: &Type) -> bool {
    match &object.schema_type {
        SchemaType::Type(of) => of == wanted,
        SchemaType::Array(types) => types.contains(wanted),
        SchemaType::AnyValue => false,
    }
}

fn is_number(object: &Object) -> bool {
    takes(object, &Type::Integer) || takes(object, &Type::Number)
}

/// Whether a schema says nothing of the form: `serde_json::Value` and types that read themselves.
fn is_free(object: &Object) -> bool {
    matches!(object.schema_type, SchemaType::AnyValue) || takes(object, &Type::Object)
}

fn free(value: &Value, path: &str) -> Result<(), RuleError> {
    let size = size(value);
    if size > FREE { Err(too_much(path, size, "values and characters", FREE)) } else { Ok(()) }
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(fields) => 1 + fields.iter().map(|(name, field)| name.len() + size(field)).sum::<usize>(),
        _ => 1,
    }
}

fn figure(number: &Number) -> f64 {
    match *number {
        Number::Int(number) => number as f64,
        Number::UInt(number) => number as f64,
        Number::Float(number) => number,
    }
}

fn too_much(path: &str, has: usize, what: &str, most: usize) -> RuleError {
    refused(format!("{path}: {has} {what}; at most {most} are taken"))
}

fn refused(message: String) -> RuleError {
    RuleError::new("request.limit", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;
    use utoipa::ToSchema;

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Inner {
        name: String,
        marks: Vec<u8>,
    }

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Request {
        clue: String,
        #[schema(max_length = 1_000)]
        file: Option<String>,
        #[schema(maximum = 50)]
        n: Option<usize>,
        #[schema(max_items = 3)]
        inner: Vec<Inner>,
        #[schema(value_type = Object)]
        anything: Value,
        #[serde(flatten)]
        more: More,
    }

    #[derive(Deserialize, ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct More {
        player: Option<String>,
    }

    fn asked(request: Value) -> Result<(), String> {
        let mut schema = TypeSchema::of::<Request>();
        state(&mut schema);
        check(&schema, &request).map_err(|error| error.message)
    }

    #[test]
    fn every_kind_of_field_is_limited_by_what_its_schema_states() {
        let text = |length: usize| "č".repeat(length);
        assert_eq!(asked(json!({ "clue": text(256), "file": text(1_000), "n": 50, "inner": [] })), Ok(()));
        let cases = [
            (json!({ "clue": text(257) }), "clue: 257 characters; at most 256 are taken"),
            (json!({ "file": text(1_001) }), "file: 1001 characters; at most 1000 are taken"),
            (json!({ "n": 51 }), "n: 51 is more than 50"),
            (json!({ "n": -1 }), "n: -1 is less than 0"),
            (json!({ "inner": [{}, {}, {}, {}] }), "inner: 4 items; at most 3 are taken"),
            (json!({ "inner": [{ "name": text(300) }] }), "inner[0].name: 300 characters; at most 256 are taken"),
            (json!({ "inner": [{ "marks": vec![0; 513] }] }), "inner[0].marks: 513 items; at most 512 are taken"),
            (json!({ "player": text(300) }), "player: 300 characters; at most 256 are taken"),
        ];
        for (request, message) in cases {
            assert_eq!(asked(request), Err(message.to_owned()));
        }
        assert!(
            asked(json!({ "anything": { "a": text(5_000) } })).is_err_and(|message| message.starts_with("anything"))
        );
        assert!(asked(json!({ "anything": [[text(5_000)]] })).is_err());
    }

    #[test]
    fn values_of_the_wrong_kind_are_left_to_the_reader() {
        assert_eq!(asked(json!({ "clue": 7, "n": "x", "inner": "no" })), Ok(()));
        assert_eq!(asked(json!(null)), Ok(()));
    }

    #[test]
    fn the_schema_shows_the_limits() {
        let mut schema = TypeSchema::of::<Request>();
        state(&mut schema);
        let shown = json!(schema.schema).to_string();
        assert!(shown.contains(r#""maxLength":256"#) && shown.contains(r#""maxItems":3"#), "{shown}");
    }
}
