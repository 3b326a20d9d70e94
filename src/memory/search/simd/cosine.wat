;; Cosines of a direction of length one to stored vectors.
(module
  (import "host" "memory" (memory 1))

  ;; $stored, $end: addresses of the first vector, of 8-bit integers, and behind the last.
  ;; $direction: address of floats; $out: where a float is written for each vector, which is not a
  ;; number for a zero vector. $bytes: of one vector, a multiple of 8.
  (func (export "compare")
    (param $stored i32) (param $end i32) (param $direction i32) (param $out i32) (param $bytes i32)
    (local $until i32) (local $at i32)
    (local $eight v128) (local $lower v128) (local $upper v128) (local $squares v128)
    (loop $vectors
      (local.set $lower (v128.const i32x4 0 0 0 0))
      (local.set $upper (v128.const i32x4 0 0 0 0))
      (local.set $squares (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $direction))
      (local.set $until (i32.add (local.get $stored) (local.get $bytes)))
      ;; Eight numbers at a time, each as 16 bits.
      (loop $numbers
        (local.set $eight (v128.load8x8_s (local.get $stored)))
        (local.set $lower
          (f32x4.add
            (local.get $lower)
            (f32x4.mul
              (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $eight)))
              (v128.load (local.get $at)))))
        (local.set $upper
          (f32x4.add
            (local.get $upper)
            (f32x4.mul
              (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $eight)))
              (v128.load offset=16 (local.get $at)))))
        (local.set $squares
          (i32x4.add
            (local.get $squares)
            (i32x4.dot_i16x8_s (local.get $eight) (local.get $eight))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $numbers
          (i32.lt_u
            (local.tee $stored (i32.add (local.get $stored) (i32.const 8)))
            (local.get $until))))
      (local.set $lower (f32x4.add (local.get $lower) (local.get $upper)))
      (f32.store
        (local.get $out)
        (f32.div
          (f32.add
            (f32.add
              (f32.add
                (f32x4.extract_lane 0 (local.get $lower))
                (f32x4.extract_lane 1 (local.get $lower)))
              (f32x4.extract_lane 2 (local.get $lower)))
            (f32x4.extract_lane 3 (local.get $lower)))
          (f32.sqrt
            (f32.convert_i32_s
              (i32.add
                (i32.add
                  (i32.add
                    (i32x4.extract_lane 0 (local.get $squares))
                    (i32x4.extract_lane 1 (local.get $squares)))
                  (i32x4.extract_lane 2 (local.get $squares)))
                (i32x4.extract_lane 3 (local.get $squares)))))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.get $stored) (local.get $end))))))
