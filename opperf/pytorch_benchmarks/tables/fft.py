"""PyTorch's callables for the operators of fft, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.fft import fft, stft
from opperf.pytorch_benchmarks.binding.fft import (
    JOIN,
    PART,
    complex_transform,
    from_pairs,
    spectra,
    to_pairs,
)

TABLE = {
    fft.FFT: complex_transform("fft"),
    fft.IFFT: complex_transform("ifft"),
    fft.FFT2: complex_transform("fft2"),
    fft.IFFT2: complex_transform("ifft2"),
    fft.FFTN: complex_transform("fftn"),
    fft.RFFT: built(f"torch.fft.rfft + {PART}", to_pairs),
    fft.IRFFT: built(f"{JOIN} + torch.fft.irfft", from_pairs),
    fft.HFFT: built(f"{JOIN} + torch.fft.hfft", from_pairs),
    fft.RFFT2: built(f"torch.fft.rfft2 + {PART}", to_pairs),
    fft.FFTShift: native("torch.fft.fftshift", dim=-1),
    stft.STFT: built(f"torch.stft + {PART}", spectra),
}
