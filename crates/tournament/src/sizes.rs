//! The sizes of the integers of a value that was read from a file, since sums of them must not overflow.

use std::fmt;

use serde::Serialize;
use serde::ser::{self, Serializer};

/// The sums of the absolute values of all integers of a value.
#[derive(Default)]
pub(super) struct IntegerSizes {
    /// Of those with up to 64 bits.
    narrow: f64,
    /// Of those with 128 bits.
    wide: f64,
}

impl IntegerSizes {
    /// The limits. Results are sums of some of the integers of up to 1,000 variants and of all shards, times small
    /// factors.
    const MOST: IntegerSizes = IntegerSizes { narrow: (1_u64 << 48) as f64, wide: (1_u128 << 110) as f64 };

    /// Returns true if no result that is computed from the integers of `value` can overflow.
    pub(super) fn are_small(value: &impl Serialize) -> bool {
        let mut sizes = IntegerSizes::default();
        let is_plain = value.serialize(&mut sizes).is_ok();
        is_plain && sizes.narrow < IntegerSizes::MOST.narrow && sizes.wide < IntegerSizes::MOST.wide
    }
}

macro_rules! integers {
    ($($method:ident($integer:ty) in $sum:ident;)*) => {
        $(fn $method(self, integer: $integer) -> fmt::Result {
            self.$sum += (integer as f64).abs();
            Ok(())
        })*
    };
}

macro_rules! skipped {
    ($($method:ident($($argument:ty),*);)*) => {
        $(fn $method(self, $(_: $argument),*) -> fmt::Result {
            Ok(())
        })*
    };
}

macro_rules! lists {
    ($($method:ident($($argument:ty),*): $list:ident;)*) => {
        type Ok = ();
        type Error = fmt::Error;
        $(type $list = Self;
        fn $method(self, $(_: $argument),*) -> Result<Self, fmt::Error> {
            Ok(self)
        })*
    };
}

impl Serializer for &mut IntegerSizes {
    integers! {
        serialize_i8(i8) in narrow;
        serialize_i16(i16) in narrow;
        serialize_i32(i32) in narrow;
        serialize_i64(i64) in narrow;
        serialize_u8(u8) in narrow;
        serialize_u16(u16) in narrow;
        serialize_u32(u32) in narrow;
        serialize_u64(u64) in narrow;
        serialize_i128(i128) in wide;
        serialize_u128(u128) in wide;
    }

    skipped! {
        serialize_bool(bool);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    lists! {
        serialize_seq(Option<usize>): SerializeSeq;
        serialize_tuple(usize): SerializeTuple;
        serialize_tuple_struct(&'static str, usize): SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize): SerializeTupleVariant;
        serialize_map(Option<usize>): SerializeMap;
        serialize_struct(&'static str, usize): SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize): SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> fmt::Result {
        value.serialize(self)
    }
}

macro_rules! items {
    ($($list:ident: $($method:ident($($key:ty)?)),*;)*) => {
        $(impl ser::$list for &mut IntegerSizes {
            type Ok = ();
            type Error = fmt::Error;

            $(fn $method<T: Serialize + ?Sized>(&mut self, $(_: $key,)? item: &T) -> fmt::Result {
                item.serialize(&mut **self)
            })*

            fn end(self) -> fmt::Result {
                Ok(())
            }
        })*
    };
}

items! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_anywhere_count_and_their_signs_do_not() {
        let halves = |size: i64| (vec![Some(size)], [("x", -size)]);
        assert!(IntegerSizes::are_small(&halves((1 << 47) - 64)));
        assert!(!IntegerSizes::are_small(&halves(1 << 47)));
        assert!(IntegerSizes::are_small(&(1_i128 << 109, 1e300, u32::MAX)));
        assert!(!IntegerSizes::are_small(&(1_i128 << 109, -1_i128 << 109)));
    }
}
