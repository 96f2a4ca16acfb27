import fc from 'fast-check';

// The same cases in every run, so that a failure does not depend on chance. A long run uses another seed (SALLYPORT_SEED).
fc.configureGlobal({ seed: Number(process.env.SALLYPORT_SEED ?? 5) });
