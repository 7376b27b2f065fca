//! A disk that loses power. It follows what a program does to the files of a folder, and can then make of them what a
//! file system may leave that keeps its journal in order, and writes data when it likes: of the names that were made,
//! changed and removed since the last sync a first part is kept, and the data of each file that was not synced since it
//! was written is there, lost, cut off, or zeros.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use overtrick::cards::Stream;

use super::calls::{Call, Deed};

/// The files of a folder by path.
type Names = BTreeMap<PathBuf, usize>;

/// A change of names.
#[derive(Clone, Debug)]
enum Change {
    Made(PathBuf, usize),
    Moved(PathBuf, PathBuf),
    Removed(PathBuf),
    MadeFolder(PathBuf),
    RemovedFolder(PathBuf),
}

/// A file under any name.
#[derive(Default)]
struct Content {
    /// The data that is safe.
    synced: Vec<u8>,
    /// Whether it was written to since.
    is_dirty: bool,
    /// The data that it had when it lost its name.
    last: Option<Vec<u8>>,
}

/// The disk below a folder.
pub struct Disk {
    root: PathBuf,
    names: Names,
    contents: Vec<Content>,
    /// The names that are safe.
    safe: Names,
    /// The changes since.
    changes: Vec<Change>,
    /// Whether it says that data is safe which is not.
    lies: bool,
}

/// The effect of an outage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Changes of names that were undone.
    pub names: usize,
    /// Files whose data is not all there.
    pub data: usize,
}

impl Disk {
    /// A disk on which all that is in the folder is safe.
    pub fn new(root: &Path) -> Disk {
        let (root, names) = (root.canonicalize().unwrap(), Names::new());
        let (contents, safe, changes) = (Vec::new(), Names::new(), Vec::new());
        let mut disk = Disk { root, names, contents, safe, changes, lies: false };
        for path in files(&disk.root) {
            let synced = fs::read(&path).unwrap();
            disk.names.insert(path, disk.contents.len());
            disk.contents.push(Content { synced, ..Content::default() });
        }
        disk.safe = disk.names.clone();
        disk
    }

    /// The same, but it forgets to make data safe that is synced.
    pub fn lying(root: &Path) -> Disk {
        Disk { lies: true, ..Disk::new(root) }
    }

    /// Notes a call that is about to be done.
    pub fn note(&mut self, call: &Call) {
        let path = &call.path;
        match call.deed {
            Deed::Open if !self.names.contains_key(path) && !path.exists() => {
                self.change(Change::Made(path.clone(), self.contents.len()));
                self.contents.push(Content::default());
            }
            Deed::Open | Deed::Write { .. } | Deed::Truncate => {
                if let Some(&id) = self.names.get(path) {
                    self.contents[id].is_dirty = true;
                }
            }
            Deed::Sync if self.lies => {}
            Deed::Sync => {
                if let Some(&id) = self.names.get(path) {
                    let synced = fs::read(path).unwrap_or_default();
                    self.contents[id] = Content { synced, ..Content::default() };
                }
                self.safe = self.names.clone();
                self.changes.clear();
            }
            Deed::Rename => {
                let to = call.to.clone().expect("a new path");
                if self.names.contains_key(path) && path.exists() {
                    self.keep(&to);
                    self.change(Change::Moved(path.clone(), to));
                }
            }
            Deed::Unlink => {
                if self.names.contains_key(path) {
                    self.keep(path);
                    self.change(Change::Removed(path.clone()));
                }
            }
            Deed::MakeFolder => {
                if !path.exists() {
                    self.change(Change::MadeFolder(path.clone()));
                }
            }
            Deed::RemoveFolder => {
                if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()) {
                    self.change(Change::RemovedFolder(path.clone()));
                }
            }
        }
    }

    /// Keeps the data of a file that loses its name.
    fn keep(&mut self, path: &Path) {
        if let Some(&id) = self.names.get(path) {
            self.contents[id].last = fs::read(path).ok();
        }
    }

    fn change(&mut self, change: Change) {
        apply(&mut self.names, &change);
        self.changes.push(change);
    }

    /// Leaves on the disk what an outage may leave, by the luck of `stream`. The program must have ended.
    pub fn lose(&mut self, stream: &mut Stream) -> Losses {
        let mut below = |count: usize| stream.random_below(count as u64) as usize;
        let kept = below(self.changes.len() + 1);
        let mut losses = Losses { names: self.changes.len() - kept, data: 0 };
        let mut names = self.safe.clone();
        self.changes[..kept].iter().for_each(|change| apply(&mut names, change));
        let current: BTreeMap<usize, &PathBuf> = self.names.iter().map(|(path, &id)| (id, path)).collect();
        let mut left = Vec::new();
        for (path, &id) in &names {
            let content = &self.contents[id];
            let whole = current.get(&id).and_then(|path| fs::read(path).ok());
            let whole = whole.or(content.last.clone()).unwrap_or_default();
            let found = if content.is_dirty { survivor(&content.synced, &whole, &mut below) } else { whole.clone() };
            losses.data += usize::from(found != whole);
            left.push((path.clone(), found));
        }
        self.names.keys().filter(|path| !names.contains_key(*path)).for_each(|path| drop(fs::remove_file(path)));
        let folders = self.folders(kept);
        for (path, _) in folders.iter().filter(|(_, is_there)| **is_there) {
            fs::create_dir_all(path).unwrap();
        }
        for (path, content) in left {
            if fs::read(&path).ok().as_ref() != Some(&content) {
                fs::write(path, content).unwrap();
            }
        }
        // Folders come before what is in them.
        for (path, _) in folders.iter().rev().filter(|(path, is_there)| !**is_there && path.exists()) {
            fs::remove_dir(path).unwrap();
        }
        *self = Disk { lies: self.lies, ..Disk::new(&self.root) };
        losses
    }

    /// Whether each folder that was made or removed is there after the first `kept` changes.
    fn folders(&self, kept: usize) -> BTreeMap<PathBuf, bool> {
        let mut folders = BTreeMap::new();
        for (place, change) in self.changes.iter().enumerate() {
            let (path, is_made) = match change {
                Change::MadeFolder(path) => (path, true),
                Change::RemovedFolder(path) => (path, false),
                _ => continue,
            };
            let is_there = folders.entry(path.clone()).or_insert(!is_made);
            if place < kept {
                *is_there = is_made;
            }
        }
        folders
    }
}

fn apply(names: &mut Names, change: &Change) {
    match change {
        Change::Made(path, id) => drop(names.insert(path.clone(), *id)),
        Change::Moved(from, to) => {
            if let Some(id) = names.remove(from) {
                names.insert(to.clone(), id);
            }
        }
        Change::Removed(path) => drop(names.remove(path)),
        Change::MadeFolder(_) | Change::RemovedFolder(_) => {}
    }
}

/// The data that an outage leaves of `whole`, of which `synced` was safe.
fn survivor(synced: &[u8], whole: &[u8], below: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let same = synced.iter().zip(whole).take_while(|(one, other)| one == other).count();
    let end = same + below(whole.len() - same + 1);
    match below(4) {
        0 => whole.to_vec(),
        1 => synced.to_vec(),
        2 => whole[..end].to_vec(),
        // The length was written, and the data was not.
        _ => whole[..end].iter().copied().chain(std::iter::repeat_n(0, whole.len() - end)).collect(),
    }
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
