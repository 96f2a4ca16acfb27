import fc from 'fast-check';

// The same cases every time: a change fails by what it does, not by luck. A long run takes another seed (SALLYPORT_SEED).
fc.configureGlobal({ seed: Number(process.env.SALLYPORT_SEED ?? 5) });
