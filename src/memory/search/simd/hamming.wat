;; In how many bits the signs of items differ from those of a query.
(module
  (import "host" "memory" (memory 1))

  ;; $signs, $end: addresses of the first item and behind the last; $query, $out: addresses.
  ;; $bytes: of one item, a multiple of 16, at most 64 KiB.
  ;; Writes 16 bits an item to $out.
  (func (export "compare")
    (param $signs i32) (param $end i32) (param $query i32) (param $out i32) (param $bytes i32)
    (local $until i32) (local $at i32) (local $sums v128)
    (loop $items
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $until (i32.add (local.get $signs) (local.get $bytes)))
      ;; Eight sums of 16 bits, of 16 bytes at a time.
      (loop $words
        (local.set $sums
          (i16x8.add
            (local.get $sums)
            (i16x8.extadd_pairwise_i8x16_u
              (i8x16.popcnt (v128.xor (v128.load (local.get $signs)) (v128.load (local.get $at)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $words
          (i32.lt_u
            (local.tee $signs (i32.add (local.get $signs) (i32.const 16)))
            (local.get $until))))
      (local.set $sums (i32x4.extadd_pairwise_i16x8_u (local.get $sums)))
      (i32.store16
        (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
          (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $items (i32.lt_u (local.get $signs) (local.get $end))))))
