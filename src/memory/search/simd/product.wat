;; Dot products of one token with the signs of others, sixteen of them at once.
(module
  (import "host" "memory" (memory 1))

  ;; Between $signs and $end lie the signs of sixteen tokens after those of sixteen others: their
  ;; first bytes, their second bytes, and so on to the number of bytes of one token, $bytes.
  ;; $tables: for each of these bytes 64 bytes, which say what the 16 values of its lower half add
  ;; (the low seven bits of each sum, then the high ones), and the same of its upper half.
  ;; Writes the totals to $out, of 32 bits.
  (func (export "compare")
    (param $signs i32) (param $end i32) (param $tables i32) (param $out i32) (param $bytes i32)
    (local $until i32) (local $table i32)
    (local $byte v128) (local $half v128) (local $low v128) (local $high v128)
    (local $low_first v128) (local $low_last v128) (local $high_first v128) (local $high_last v128)
    (loop $tokens
      (local.set $low_first (v128.const i32x4 0 0 0 0))
      (local.set $low_last (v128.const i32x4 0 0 0 0))
      (local.set $high_first (v128.const i32x4 0 0 0 0))
      (local.set $high_last (v128.const i32x4 0 0 0 0))
      (local.set $table (local.get $tables))
      (local.set $until
        (i32.add (local.get $signs) (i32.shl (local.get $bytes) (i32.const 4))))
      (loop $bytes_of_token
        (local.set $byte (v128.load (local.get $signs)))
        (local.set $half
          (v128.and (local.get $byte) (i8x16.splat (i32.const 0x0f))))
        (local.set $low
          (i8x16.swizzle (v128.load (local.get $table)) (local.get $half)))
        (local.set $high
          (i8x16.swizzle (v128.load offset=16 (local.get $table)) (local.get $half)))
        (local.set $half (i8x16.shr_u (local.get $byte) (i32.const 4)))
        ;; Two sums of seven bits fit into a byte.
        (local.set $low
          (i8x16.add
            (i8x16.swizzle (v128.load offset=32 (local.get $table)) (local.get $half))
            (local.get $low)))
        (local.set $high
          (i8x16.add
            (i8x16.swizzle (v128.load offset=48 (local.get $table)) (local.get $half))
            (local.get $high)))
        (local.set $low_first
          (i16x8.add (local.get $low_first) (i16x8.extend_low_i8x16_u (local.get $low))))
        (local.set $low_last
          (i16x8.add (local.get $low_last) (i16x8.extend_high_i8x16_u (local.get $low))))
        (local.set $high_first
          (i16x8.add (local.get $high_first) (i16x8.extend_low_i8x16_u (local.get $high))))
        (local.set $high_last
          (i16x8.add (local.get $high_last) (i16x8.extend_high_i8x16_u (local.get $high))))
        (local.set $table (i32.add (local.get $table) (i32.const 64)))
        (br_if $bytes_of_token
          (i32.lt_u
            (local.tee $signs (i32.add (local.get $signs) (i32.const 16)))
            (local.get $until))))
      (v128.store
        (local.get $out)
        (i32x4.add
          (i32x4.shl (i32x4.extend_low_i16x8_u (local.get $high_first)) (i32.const 7))
          (i32x4.extend_low_i16x8_u (local.get $low_first))))
      (v128.store offset=16
        (local.get $out)
        (i32x4.add
          (i32x4.shl (i32x4.extend_high_i16x8_u (local.get $high_first)) (i32.const 7))
          (i32x4.extend_high_i16x8_u (local.get $low_first))))
      (v128.store offset=32
        (local.get $out)
        (i32x4.add
          (i32x4.shl (i32x4.extend_low_i16x8_u (local.get $high_last)) (i32.const 7))
          (i32x4.extend_low_i16x8_u (local.get $low_last))))
      (v128.store offset=48
        (local.get $out)
        (i32x4.add
          (i32x4.shl (i32x4.extend_high_i16x8_u (local.get $high_last)) (i32.const 7))
          (i32x4.extend_high_i16x8_u (local.get $low_last))))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (br_if $tokens (i32.lt_u (local.get $signs) (local.get $end))))))
