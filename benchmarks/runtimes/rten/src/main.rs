//! rten-runner MODEL FOLDER N: runs a model on FOLDER/in<i>.{txt,bin}, and writes FOLDER/out<i>.{txt,bin}. A .txt has
//! lines: the input's name (not of outputs), the type (f32 or i32), and the extents; a .bin has the numbers.
use rten::{Model, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::Tensor;
use std::error::Error;
use std::fs;

fn read(path: &str) -> Result<(String, Value), Box<dyn Error>> {
    let text = fs::read_to_string(format!("{path}.txt"))?;
    let lines: Vec<&str> = text.lines().collect();
    let extents = lines[2].split_whitespace().map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let bytes = fs::read(format!("{path}.bin"))?;
    let words = bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
    let value = match lines[1] {
        "f32" => Tensor::from_data(&extents, words.map(f32::from_le_bytes).collect::<Vec<_>>()).into(),
        _ => Tensor::from_data(&extents, words.map(i32::from_le_bytes).collect::<Vec<_>>()).into(),
    };
    Ok((lines[0].to_string(), value))
}

fn write(path: &str, value: Value) -> Result<(), Box<dyn Error>> {
    let (kind, extents, bytes): (_, _, Vec<u8>) = match value {
        Value::FloatTensor(t) => ("f32", t.shape().to_vec(), t.iter().flat_map(|x| x.to_le_bytes()).collect()),
        Value::Int32Tensor(t) => ("i32", t.shape().to_vec(), t.iter().flat_map(|x| x.to_le_bytes()).collect()),
        _ => return Err("an output of another type".into()),
    };
    let extents: Vec<String> = extents.iter().map(usize::to_string).collect();
    fs::write(format!("{path}.txt"), format!("{kind}\n{}\n", extents.join(" ")))?;
    Ok(fs::write(format!("{path}.bin"), bytes)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (folder, count) = (&arguments[2], arguments[3].parse::<usize>()?);
    let model = Model::load_file(&arguments[1])?;
    let mut inputs = Vec::new();
    for i in 0..count {
        let (name, value) = read(&format!("{folder}/in{i}"))?;
        if let Some(id) = model.find_node(&name) {
            inputs.push((id, ValueOrView::from(value)));
        }
    }
    for (i, value) in model.run(inputs, model.output_ids(), None)?.into_iter().enumerate() {
        write(&format!("{folder}/out{i}"), value)?;
    }
    Ok(())
}
